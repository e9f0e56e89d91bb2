import AgentJSON
import AgentSchedules
import JSONSchema

/// Reads `schedules`. The schema has reported values of the wrong type. This code checks
/// expressions, intervals, dates and time zones.
extension SettingsReader {
  mutating func readSchedules() -> [ScheduleSettings] {
    let schedules = root["schedules"]?.object ?? [:]
    return schedules.sorted { $0.key < $1.key }.compactMap { name, value in
      guard let definition = value.object else { return nil }
      checkSchedule(definition, at: ["schedules", name])
      return ScheduleSettings(name: name, definition: definition)
    }
  }

  private mutating func checkSchedule(_ definition: JSONObject, at path: [String]) {
    if (path.last ?? "").allSatisfy(\.isNumber) {
      add(
        "invalid_name", at: path,
        message: "a schedule's name can't be a number, because numbers identify schedules.")
    }
    let given = ["cron", "every", "at"].filter { definition[$0] != nil }
    if given.count != 1 {
      add(
        "invalid_schedule", at: path,
        message: "a schedule has one of cron (\"0 2 * * *\"), every (\"15m\") and at"
          + " (\"2026-03-29T02:00\"); found \(given.count).",
        expected: "one of cron, every and at")
    }
    for place in references.secretPlaces where place.tokens.starts(with: path) {
      add(
        "secret_in_schedule", at: place.tokens,
        message: "a schedule is stored and shown, so it holds no secrets. Name the secret in"
          + " task.secrets: the task finds it when it runs.",
        expected: "no secret")
    }
    check("cron", in: definition, at: path) { _ = try CronExpression($0) }
    check("every", in: definition, at: path) { _ = try Interval($0) }
    check("jitter", in: definition, at: path) { _ = try Interval($0) }
    for key in ["at", "start", "end"] {
      check(key, in: definition, at: path) { _ = try ScheduleDate($0) }
    }
    check("misfire", in: definition, at: path) { _ = try MisfirePolicy($0) }
    check("overlap", in: definition, at: path) { _ = try OverlapPolicy($0) }
    check("zone", in: definition, at: path) { _ = try Self.zones.zone(named: $0) }
  }

  static let zones = TimeZoneDatabase()

  private mutating func check(
    _ key: String, in definition: JSONObject, at path: [String], read: (String) throws -> Void
  ) {
    let place = path + [key]
    guard let text = definition[key]?.string,
      !references.unresolved.contains(JSONPointer(tokens: place))
    else { return }
    do {
      try read(text)
    } catch {
      add("invalid_schedule", at: place, message: "\(error)")
    }
  }
}
