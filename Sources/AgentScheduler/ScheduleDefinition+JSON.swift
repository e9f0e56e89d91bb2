public import AgentJSON
internal import AgentSchedules
public import AgentTasks

extension ScheduleDefinition {
  /// The members of the timing. A definition has exactly one of them.
  static let timings = ["cron", "every", "at"]

  /// Reads a definition from JSON. It needs one of `cron`, `every` and `at`. Optional members are
  /// `zone`, `start`, `end`, `jitter`, `misfire`, `overlap`, `description`, `paused` and `task`.
  /// Unknown members are ignored.
  /// - Throws: `invalid` with the name of the member and the values that it allows.
  public init(json object: JSONObject) throws(TaskError) {
    var found: [Timing] = []
    if let text = try Self.text("cron", in: object) { found.append(.cron(text)) }
    if let text = try Self.text("every", in: object) { found.append(.every(text)) }
    if let text = try Self.text("at", in: object) { found.append(.at(text)) }
    guard let timing = found.first, found.count == 1 else {
      throw TaskError(
        .invalid,
        "A schedule has one of \"cron\" (0 2 * * *), \"every\" (15m) and \"at\" "
          + "(2026-03-29T02:00); \(found.count) were given.")
    }
    self.init(timing)
    zone = try Self.text("zone", in: object) ?? zone
    start = try Self.text("start", in: object)
    end = try Self.text("end", in: object)
    jitter = try Self.text("jitter", in: object)
    description = try Self.text("description", in: object) ?? ""
    isPaused = object["paused"]?.bool ?? false
    if let text = try Self.text("misfire", in: object) {
      misfire = try Self.read("misfire") { try MisfirePolicy(text) }
    }
    if let text = try Self.text("overlap", in: object) {
      overlap = try Self.read("overlap") { try OverlapPolicy(text) }
    }
    if let value = object["task"], !value.isNull {
      task = try ScheduledTask(json: value.object ?? JSONObject())
    }
  }

  private static func text(_ key: String, in object: JSONObject) throws(TaskError) -> String? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let text = value.string else {
      throw TaskError(.invalid, "\(key) is a text; found \(value.text().prefix(40)).")
    }
    return text
  }

  /// Reads the definition that a row of a schedule holds.
  /// - Throws: `invalid`; also for bytes that aren't a JSON object.
  package init(stored bytes: [UInt8]) throws(TaskError) {
    try self.init(json: JSONValue(stored: bytes)?.object ?? JSONObject())
  }

  var stored: [UInt8] { JSONValue.object(json).bytes() }

  /// The definition in JSON. It is stored in this form, and ``init(json:)`` reads it.
  public var json: JSONObject {
    var object = JSONObject()
    switch timing {
    case .cron(let text): object["cron"] = .string(text)
    case .every(let text): object["every"] = .string(text)
    case .at(let text): object["at"] = .string(text)
    }
    object["zone"] = .string(zone)
    object["start"] = start.map(JSONValue.string)
    object["end"] = end.map(JSONValue.string)
    object["jitter"] = jitter.map(JSONValue.string)
    object["misfire"] = .string("\(misfire)")
    object["overlap"] = .string(overlap.rawValue)
    // Left out when false, so that equal definitions have equal bytes: `adopt` compares them.
    if !description.isEmpty { object["description"] = .string(description) }
    if isPaused { object["paused"] = true }
    object["task"] = task.map { .object($0.json) }
    return object
  }

  /// Returns the definition after a merge patch. `null` removes a member. A new timing replaces the
  /// former one. The members of `task` that the patch doesn't name stay.
  /// - Throws: `invalid` if the result isn't a definition.
  func changed(by patch: JSONObject) throws(TaskError) -> ScheduleDefinition {
    var object = json
    // `every` in place of `cron` would otherwise leave two timings, which `init` refuses.
    if patch.contains(where: { Self.timings.contains($0.key) && !$0.value.isNull }) {
      for key in Self.timings { object[key] = nil }
    }
    for (key, value) in patch {
      if key == "task", var task = object["task"]?.object, let changes = value.object {
        for (key, value) in changes { task[key] = value.isNull ? nil : value }
        object["task"] = .object(task)
      } else {
        object[key] = value.isNull ? nil : value
      }
    }
    return try ScheduleDefinition(json: object)
  }

  /// Whether both definitions have the same fire times and the same delays.
  func hasTimes(of other: ScheduleDefinition) -> Bool {
    timing == other.timing && zone == other.zone && start == other.start && end == other.end
      && jitter == other.jitter
  }
}
