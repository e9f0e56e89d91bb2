import AgentSchedules
import Testing

@Suite("Schedules")
struct ScheduleTests {
  @Test func `a cron schedule fires in its zone, between start and end`() throws {
    let zone = try TimeZoneDatabase().zone(named: "Europe/Berlin")
    let schedule = try Schedule(
      id: "a", timing: .cron(try CronExpression("0 2 * * *")), zone: zone,
      start: try utc("2026-03-27T01:00:00"), end: try utc("2026-03-30T00:00:00"))
    #expect(
      schedule.upcoming(10, after: .min)
        == [
          try utc("2026-03-27T01:00:00"), try utc("2026-03-28T01:00:00"),
          try utc("2026-03-29T01:00:00"),
        ])
    #expect(schedule.next(after: try utc("2026-03-29T01:00:00")) == nil)
    #expect(schedule.next(after: .max) == nil)
  }

  @Test func `an interval counts from the start and doesn't drift`() throws {
    let start = try utc("2026-01-01T00:00:07")
    let schedule = try Schedule(
      id: "a", timing: .every(try Interval("90s")), start: start)
    #expect(schedule.next(after: .min) == start)
    #expect(schedule.next(after: start) == start + 90_000)
    #expect(schedule.next(after: start + 89_999) == start + 90_000)
    #expect(schedule.next(after: start + 90_000_000 + 1) == start + 90_090_000)
    #expect(schedule.next(after: ScheduleTime.latest) == nil)
  }

  @Test func `a date fires once`() throws {
    let moment = try utc("2026-01-01T00:00:00")
    let schedule = try Schedule(id: "a", timing: .at(moment))
    #expect(schedule.upcoming(3, after: moment - 1) == [moment])
    #expect(schedule.next(after: moment) == nil)
  }

  @Test func `a schedule is described in words`() throws {
    let zone = try TimeZoneDatabase().zone(named: "Europe/Berlin")
    let start = try utc("2026-01-01T00:00:00")
    let cron = ScheduleTiming.cron(try CronExpression("0 2 * * MON"))
    #expect(
      "\(try Schedule(id: "a", timing: cron, zone: zone))" == "At 02:00 on Monday, Europe/Berlin")
    #expect(
      "\(try Schedule(id: "a", timing: .every(try Interval("1h")), start: start))"
        == "every 1 hour from 2026-01-01T00:00:00, UTC")
    #expect(
      "\(try Schedule(id: "a", timing: .at(start), zone: zone))"
        == "once at 2026-01-01T01:00:00, Europe/Berlin")
  }

  @Test func `contradictory parts are refused`() throws {
    let interval = try Interval("1h")
    #expect(throws: ScheduleError.self) { try Schedule(id: "a", timing: .every(interval)) }
    #expect(throws: ScheduleError.self) { try Schedule(id: "a", timing: .at(0), start: 5, end: 5) }
    #expect(throws: ScheduleError.self) { try Schedule(id: "a", timing: .at(0), jitter: -1) }
    #expect(throws: ScheduleError.self) { try Schedule(id: "a", timing: .at(0), start: .max) }
  }

  @Test func `jitter is constant, differs by id and never reaches the next fire time`() throws {
    let timing = ScheduleTiming.cron(try CronExpression("* * * * *"))
    let one = try Schedule(id: "one", timing: timing, jitter: 3_600_000)
    let two = try Schedule(id: "two", timing: timing, jitter: 3_600_000)
    let again = try Schedule(id: "one", timing: timing, jitter: 3_600_000)
    let times = one.upcoming(1000, after: 0)
    #expect(times.count == 1000)
    #expect(times.allSatisfy { one.due($0) == again.due($0) })
    #expect(times.allSatisfy { one.due($0) >= $0 && one.due($0) < $0 + 60_000 })
    #expect(times.contains { one.due($0) != two.due($0) })
    #expect(Set(times.map { one.due($0) - $0 }).count > 900)
    #expect(one == again && one != two)
  }

  @Test func `the latest missed times are returned with whether there were more`() throws {
    let schedule = try Schedule(id: "a", timing: .cron(try CronExpression("0 * * * *")))
    let hour: Int64 = 3_600_000
    #expect(
      schedule.missed(from: 0, to: 5 * hour, limit: 3)
        == MissedFires(times: [3 * hour, 4 * hour, 5 * hour], hasMore: true))
    #expect(
      schedule.missed(from: 2 * hour, to: 5 * hour, limit: 3)
        == MissedFires(times: [3 * hour, 4 * hour, 5 * hour], hasMore: false))
    #expect(
      schedule.missed(from: 5 * hour, to: 6 * hour - 1, limit: 3)
        == MissedFires(times: [], hasMore: false))
    #expect(schedule.missed(from: 9, to: 3, limit: 3).times.isEmpty)
    #expect(schedule.missed(from: 0, to: hour, limit: 0) == MissedFires(times: [], hasMore: true))
  }

  @Test func `missed fires in years of seconds are found at once`() throws {
    let schedule = try Schedule(id: "a", timing: .cron(try CronExpression("* * * * 1 *")))
    let end = try utc("2026-06-01T00:00:00")
    let missed = schedule.missed(from: 0, to: end, limit: 2)
    #expect(
      missed
        == MissedFires(
          times: [try utc("2026-01-31T23:59:58"), try utc("2026-01-31T23:59:59")], hasMore: true))
  }
}

@Suite("Intervals and dates")
struct IntervalAndDateTests {
  @Test(
    arguments: [
      ("90s", 90_000), ("2h", 7_200_000), ("1h30m", 5_400_000), ("PT1H30M", 5_400_000),
      ("P1D", 86_400_000),
      ("P1DT12H", 129_600_000), ("pt90s", 90_000), ("1w", 604_800_000), ("P2W", 1_209_600_000),
      ("1s500ms", 1500), ("3660d", 316_224_000_000),
    ] as [(String, Int64)])
  func `intervals are read in short form and as ISO 8601`(text: String, length: Int64) throws {
    let interval = try Interval(text)
    #expect(interval.milliseconds == length)
    #expect(try Interval(interval.text) == interval)
  }

  @Test(arguments: [
    ("", "isn't an interval"), ("90", "isn't an interval"), ("s", "isn't an interval"),
    ("1m1h", "isn't an interval"), ("1h1h", "isn't an interval"), ("-1h", "isn't an interval"),
    ("1.5h", "isn't an interval"), ("P", "isn't an interval"), ("PT", "isn't an interval"),
    ("P1DT", "isn't an interval"), ("P1H", "isn't an interval"), ("P1M", "Write a cron expression"),
    ("P1Y", "Write a cron expression"), ("0s", "too short"), ("999ms", "too short"),
    ("3661d", "too long"), ("99999999999999999999w", "too long"),
    ("999999999999w999999999999d", "too long"),
    (String(repeating: "1", count: 65), "more than 64"),
  ])
  func `a text that isn't an interval is refused with the reason`(text: String, part: String) {
    let error = #expect(throws: ScheduleError.self) { try Interval(text) }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test func `intervals are written in words`() throws {
    #expect("\(try Interval("90s"))" == "every 1 minute 30 seconds")
    #expect("\(try Interval("2h"))" == "every 2 hours")
    #expect(try Interval("26h").text == "1d2h")
  }

  @Test(arguments: [
    ("2026-03-29T01:00:00Z", "2026-03-29T01:00:00"),
    ("2026-03-29t01:00:00z", "2026-03-29T01:00:00"),
    ("2026-03-29T02:00:00+01:00", "2026-03-29T01:00:00"),
    ("2026-03-28T20:30-04:30", "2026-03-29T01:00:00"),
    ("2026-03-29T02:30:00", "2026-03-29T01:00:00"), ("2026-03-29 04:00", "2026-03-29T02:00:00"),
    ("2026-03-29", "2026-03-28T23:00:00"), ("2026-10-25T02:30", "2026-10-25T00:30:00"),
    ("2028-02-29", "2028-02-28T23:00:00"),
  ])
  func `dates are instants or local times of the zone`(text: String, expected: String) throws {
    let zone = try TimeZoneDatabase().zone(named: "Europe/Berlin")
    #expect(try ScheduleDate(text).time(in: zone) == utc(expected))
  }

  @Test func `fractions of seconds are kept to the millisecond`() throws {
    let second = try utc("2026-03-29T01:00:00")
    #expect(try ScheduleDate("2026-03-29T01:00:00.25Z") == .instant(second + 250))
    #expect(try ScheduleDate("2026-03-29T01:00:00.1239999Z") == .instant(second + 123))
  }

  @Test(arguments: [
    "", "tomorrow", "2026-02-29", "2026-13-01", "2026-1-1", "2026-01-01T24:00", "2026-01-01T00:60",
    "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00ZZ",
    "0000-01-01", "0001-01-01T00:00:00+01:00", "2026-01-01T", "2026-01-01T00:00:00.5",
  ])
  func `a text that isn't a date is refused`(text: String) {
    let error = #expect(throws: ScheduleError.self) { try ScheduleDate(text) }
    #expect(error?.code == .date)
  }
}
