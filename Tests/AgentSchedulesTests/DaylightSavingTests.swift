import AgentSchedules
import Testing

/// The table of docs/schedules.md, "When the clock is set".
@Suite("Cron and daylight saving")
struct DaylightSavingTests {
  static let zones = TimeZoneDatabase()

  /// The fire times on a day, in UTC, without the date.
  private func fires(_ text: String, on day: String, in zone: String) throws -> [String] {
    let zone = try Self.zones.zone(named: zone)
    let expression = try CronExpression(text)
    let end = try ScheduleDate("\(day)T23:59:59").time(in: zone)
    var time = try ScheduleDate("\(day)T00:00:00").time(in: zone) - 1
    var found: [String] = []
    while let next = expression.next(after: time, in: zone), next <= end {
      found.append(String("\(TimeZoneRules.utc.localTime(at: next))".dropFirst(11).prefix(5)))
      time = next
    }
    return found
  }

  @Test(arguments: [
    // 02:00 to 03:00 are skipped at 01:00 UTC.
    ("30 2 * * *", ["01:00"]), ("0 2 * * *", ["01:00"]), ("0,30 2 * * *", ["01:00"]),
    ("0 2,3 * * *", ["01:00"]), ("15 2,3 * * *", ["01:00", "01:15"]), ("59 1 * * *", ["00:59"]),
    ("0 3 * * *", ["01:00"]),
    (
      "30 */2 * * *",
      (0...23).filter { $0 % 2 == 0 && $0 != 2 }.map { hour in
        hour == 0 ? "23:30" : "\(hour - 2 < 10 ? "0" : "")\(hour - 2):30"
      }
    ),
    ("* 2 * * *", []), ("*/30 1-3 * * *", ["00:00", "00:30", "01:00", "01:30"]),
    ("0 30 2 * * *", ["01:00"]),
  ])
  func `fires in the hour that the clock skips run right after it, unless a star means real time`(
    text: String, expected: [String]
  ) throws {
    #expect(try fires(text, on: "2026-03-29", in: "Europe/Berlin") == expected)
  }

  @Test(arguments: [
    // 02:00 to 03:00 are shown twice, from 00:00 and from 01:00 UTC.
    ("30 2 * * *", ["00:30"]), ("0 2 * * *", ["00:00"]), ("0 3 * * *", ["02:00"]),
    ("30 1-3 * * *", ["23:30", "00:30", "02:30"]), ("59 2 * * *", ["00:59"]),
    ("* 3 25 10 *", (0..<60).map { "02:\($0 < 10 ? "0" : "")\($0)" }),
    ("*/30 2 * * *", ["00:00", "00:30", "01:00", "01:30"]),
    ("30 2-3/1 * * *", ["00:30", "02:30"]),
  ])
  func `fires in the hour that the clock repeats run once, unless a star means real time`(
    text: String, expected: [String]
  ) throws {
    #expect(try fires(text, on: "2026-10-25", in: "Europe/Berlin") == expected)
  }

  @Test func `a fixed time in the repeated hour doesn't run in the second pass`() throws {
    let zone = try Self.zones.zone(named: "Europe/Berlin")
    let expression = try CronExpression("30 2 * * *")
    #expect(
      expression.next(after: try utc("2026-10-25T01:10:00"), in: zone)
        == (try utc("2026-10-26T01:30:00")))
  }

  @Test func `hourly jobs run every real hour`() throws {
    #expect(try fires("@hourly", on: "2026-03-29", in: "Europe/Berlin").count == 23)
    #expect(try fires("@hourly", on: "2026-10-25", in: "Europe/Berlin").count == 25)
    #expect(try fires("0 0-23 * * *", on: "2026-10-25", in: "Europe/Berlin").count == 24)
  }

  @Test func `a shift of half an hour is handled as well`() throws {
    // Lord Howe skips 02:00 to 02:30 on 2026-10-04, at 15:30 UTC of the day before.
    #expect(try fires("15 2 * * *", on: "2026-10-04", in: "Australia/Lord_Howe") == ["15:30"])
    #expect(try fires("15 2 * * *", on: "2026-04-05", in: "Australia/Lord_Howe") == ["15:45"])
    // It shows 01:30 to 02:00 twice on 2026-04-05.
    #expect(try fires("45 1 * * *", on: "2026-04-05", in: "Australia/Lord_Howe") == ["14:45"])
    #expect(
      try fires("45 * * * *", on: "2026-04-05", in: "Australia/Lord_Howe").prefix(3)
        == ["13:45", "14:45", "15:15"])
  }

  @Test func `a day that a zone skipped is a correction without catching up`() throws {
    // Samoa went over the date line: there was no 2011-12-30.
    let zone = try Self.zones.zone(named: "Pacific/Apia")
    #expect(
      try walls("0 12 * * *", after: "2011-12-28T13:00:00", in: zone, count: 2)
        == ["2011-12-29T12:00:00", "2011-12-31T12:00:00"])
  }

  @Test func `a midnight that doesn't exist is made up for`() throws {
    // Beirut puts its clock forward at midnight.
    let zone = try Self.zones.zone(named: "Asia/Beirut")
    #expect(
      try walls("@daily", after: "2026-03-28T12:00:00", in: zone, count: 2)
        == ["2026-03-29T01:00:00", "2026-03-30T00:00:00"])
  }
}
