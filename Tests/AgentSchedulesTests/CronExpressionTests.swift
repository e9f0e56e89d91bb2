import AgentSchedules
import Testing

/// A time in UTC, in Unix milliseconds.
func utc(_ text: String) throws -> Int64 { try ScheduleDate(text + "Z").time(in: .utc) }

/// What the wall in `zone` shows at the next fire times after a time on it.
func walls(
  _ text: String, after start: String, in zone: TimeZoneRules = .utc, count: Int = 3
) throws -> [String] {
  let expression = try CronExpression(text)
  var time = try ScheduleDate(start).time(in: zone)
  var found: [String] = []
  while found.count < count, let next = expression.next(after: time, in: zone) {
    found.append("\(zone.localTime(at: next))")
    time = next
  }
  return found
}

@Suite("Cron expressions")
struct CronExpressionTests {
  @Test(arguments: [
    ("* * * * *", ["2026-01-01T00:01:00", "2026-01-01T00:02:00"]),
    ("*/20 * * * *", ["2026-01-01T00:20:00", "2026-01-01T00:40:00", "2026-01-01T01:00:00"]),
    ("5/20 * * * *", ["2026-01-01T00:05:00", "2026-01-01T00:25:00", "2026-01-01T00:45:00"]),
    ("0 2 * * MON", ["2026-01-05T02:00:00", "2026-01-12T02:00:00"]),
    (
      "0 9-17/4 * * mon-Fri", ["2026-01-01T09:00:00", "2026-01-01T13:00:00", "2026-01-01T17:00:00"]
    ),
    ("0 22-2/2 * * *", ["2026-01-01T02:00:00", "2026-01-01T22:00:00", "2026-01-02T00:00:00"]),
    ("0 0 * * FRI-MON", ["2026-01-02T00:00:00", "2026-01-03T00:00:00", "2026-01-04T00:00:00"]),
    ("0 0 30-2 * *", ["2026-01-02T00:00:00", "2026-01-30T00:00:00", "2026-01-31T00:00:00"]),
    ("0 0 1 NOV-feb *", ["2026-02-01T00:00:00", "2026-11-01T00:00:00", "2026-12-01T00:00:00"]),
    ("0 0 * * 0", ["2026-01-04T00:00:00"]), ("0 0 * * 7", ["2026-01-04T00:00:00"]),
    ("0 0 * * 6-7", ["2026-01-03T00:00:00", "2026-01-04T00:00:00", "2026-01-10T00:00:00"]),
    ("0 0 * * 7-1", ["2026-01-04T00:00:00", "2026-01-05T00:00:00", "2026-01-11T00:00:00"]),
    ("0 0 * * 0-7", ["2026-01-02T00:00:00", "2026-01-03T00:00:00"]),
    ("0 12 1,15 * ?", ["2026-01-01T12:00:00", "2026-01-15T12:00:00", "2026-02-01T12:00:00"]),
    ("*/15 30 4 * * *", ["2026-01-01T04:30:00", "2026-01-01T04:30:15", "2026-01-01T04:30:30"]),
    ("30 0 0 29 2 *", ["2028-02-29T00:00:30", "2032-02-29T00:00:30"]),
    ("0 0 31 * *", ["2026-01-31T00:00:00", "2026-03-31T00:00:00", "2026-05-31T00:00:00"]),
    ("  0\t0  1 1 * ", ["2027-01-01T00:00:00"]),
  ])
  func `an expression fires when its fields match`(text: String, expected: [String]) throws {
    #expect(
      try walls(text, after: "2026-01-01T00:00:00", count: expected.count) == expected)
  }

  @Test(arguments: [
    ("0 0 L * *", ["2026-01-31T00:00:00", "2026-02-28T00:00:00", "2026-03-31T00:00:00"]),
    ("0 0 L-3 * *", ["2026-01-28T00:00:00", "2026-02-25T00:00:00"]),
    ("0 0 L-30 * *", ["2026-03-01T00:00:00", "2026-05-01T00:00:00"]),
    ("0 0 L,10 * *", ["2026-01-10T00:00:00", "2026-01-31T00:00:00"]),
    // 2026-02-15 is a Sunday, 2026-08-15 a Saturday; 2026-08-01 too, and 2026-05-31 a Sunday.
    ("0 0 15W 2,8 *", ["2026-02-16T00:00:00", "2026-08-14T00:00:00"]),
    ("0 0 1W 8 *", ["2026-08-03T00:00:00"]),
    ("0 0 31W 5 *", ["2026-05-29T00:00:00"]),
    ("0 0 31W 1-3 *", ["2026-01-30T00:00:00", "2026-03-31T00:00:00"]),
    ("0 0 LW 1,5 *", ["2026-01-30T00:00:00", "2026-05-29T00:00:00"]),
    ("0 0 * * 5L", ["2026-01-30T00:00:00", "2026-02-27T00:00:00"]),
    ("0 0 * * friL", ["2026-01-30T00:00:00", "2026-02-27T00:00:00"]),
    ("0 0 * * 7L", ["2026-01-25T00:00:00", "2026-02-22T00:00:00"]),
    ("0 0 * * MON#2", ["2026-01-12T00:00:00", "2026-02-09T00:00:00"]),
    ("0 0 * * MON#5", ["2026-03-30T00:00:00", "2026-06-29T00:00:00"]),
    ("0 0 ? * 4#1,4#3", ["2026-01-15T00:00:00", "2026-02-05T00:00:00"]),
  ])
  func `days count from the end, by weekday and to the nearest working day`(
    text: String, expected: [String]
  ) throws {
    #expect(
      try walls(text, after: "2026-01-01T00:00:00", count: expected.count) == expected)
  }

  @Test(arguments: [
    // Both restricted: the 13th or a Friday.
    ("0 0 13 * FRI", ["2026-01-02T00:00:00", "2026-01-09T00:00:00", "2026-01-13T00:00:00"]),
    // A star in front of one: both must hold.
    ("0 0 */5 * FRI", ["2026-01-16T00:00:00", "2026-02-06T00:00:00", "2026-03-06T00:00:00"]),
    ("0 0 1-7 * */7", ["2026-01-04T00:00:00", "2026-02-01T00:00:00", "2026-03-01T00:00:00"]),
    // All days without a star are a restriction, which never holds anything back.
    ("0 0 13 * 0-6", ["2026-01-02T00:00:00", "2026-01-03T00:00:00"]),
    ("0 0 1 1 MON#1", ["2026-01-05T00:00:00", "2027-01-01T00:00:00", "2027-01-04T00:00:00"]),
  ])
  func `two restricted days match if either does, as in Debian's cron`(
    text: String, expected: [String]
  ) throws {
    #expect(
      try walls(text, after: "2026-01-01T00:00:00", count: expected.count) == expected)
  }

  @Test(arguments: [
    ("@yearly", "0 0 1 1 *"), ("@Annually", "0 0 1 1 *"), ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"), ("@daily", "0 0 * * *"), ("@MIDNIGHT", "0 0 * * *"),
    ("@hourly", "0 * * * *"), ("0 1 2 3 4 *", "1 2 3 4 *"), ("0 0 * * 1-5", "0 0 * * mon,TUE,3-5"),
  ])
  func `expressions that mean the same are equal`(left: String, right: String) throws {
    #expect(try CronExpression(left) == CronExpression(right))
  }

  @Test func `the next time is later, also within a second`() throws {
    let expression = try CronExpression("* * * * * *")
    let time = try utc("2026-01-01T00:00:00")
    #expect(expression.next(after: time, in: .utc) == time + 1000)
    #expect(expression.next(after: time - 1, in: .utc) == time)
    #expect(expression.next(after: time + 999, in: .utc) == time + 1000)
  }

  @Test func `no time is found beyond the calendar`() throws {
    let expression = try CronExpression("0 0 1 1 *")
    #expect(expression.next(after: .min, in: .utc) == nil)
    #expect(expression.next(after: .max, in: .utc) == nil)
    #expect(expression.next(after: ScheduleTime.latest, in: .utc) == nil)
    #expect(expression.next(after: ScheduleTime.latest - 1000, in: .utc) == nil)
    #expect(expression.next(after: ScheduleTime.earliest, in: .utc) != nil)
  }

  @Test func `an expression takes little memory`() {
    #expect(MemoryLayout<CronExpression>.stride <= 64)
  }
}
