import AgentSchedules
import Testing

@testable import AgentNotifications

/// The wall clock of a place decides, also on the days on which it is changed.
@Suite struct QuietHoursTests {
  /// Central European Time as the time zone database ends it.
  private static let berlin = zone("CET-1CEST,M3.5.0,M10.5.0/3")

  private static func zone(_ footer: String) -> TimeZoneRules {
    let file =
      "TZif2".utf8 + [UInt8](repeating: 0, count: 15 + 16) + [0, 0, 0, 1, 0, 0, 0, 4]
      + [0, 0, 0, 0, 0, 0] + "UTC\0".utf8
    let rules = try? TimeZoneRules(
      name: "test", file: Array(file) + Array(file) + Array("\n\(footer)\n".utf8))
    return rules ?? .utc
  }

  /// Unix seconds of a moment of UTC.
  private static func utc(year: Int, month: Int, day: Int, hour: Int, minute: Int)
    -> Int64
  {
    LocalTime(year: year, month: month, day: day, hour: hour, minute: minute)
      .map { TimeZoneRules.utc.resolve($0).time / 1000 } ?? 0
  }

  private static func hours(from: Int, to: Int, zone: TimeZoneRules) -> QuietHours {
    QuietHours(
      fromMinute: from / 100 * 60 + from % 100, toMinute: to / 100 * 60 + to % 100, zone: zone,
      except: .critical)
  }

  struct Case: Sendable {
    let from: Int
    let to: Int
    let now: Int64
    let end: Int64?
  }

  @Test(arguments: [
    // An ordinary night in winter, one hour ahead of UTC.
    Case(
      from: 2200, to: 700, now: utc(year: 2026, month: 1, day: 10, hour: 20, minute: 59), end: nil),
    Case(
      from: 2200, to: 700, now: utc(year: 2026, month: 1, day: 10, hour: 21, minute: 0),
      end: utc(year: 2026, month: 1, day: 11, hour: 6, minute: 0)),
    Case(
      from: 2200, to: 700, now: utc(year: 2026, month: 1, day: 11, hour: 5, minute: 59),
      end: utc(year: 2026, month: 1, day: 11, hour: 6, minute: 0)),
    Case(
      from: 2200, to: 700, now: utc(year: 2026, month: 1, day: 11, hour: 6, minute: 0), end: nil),
    // In summer two hours ahead, and hours within a day.
    Case(
      from: 1200, to: 1330, now: utc(year: 2026, month: 7, day: 1, hour: 10, minute: 0),
      end: utc(year: 2026, month: 7, day: 1, hour: 11, minute: 30)),
    Case(
      from: 1200, to: 1330, now: utc(year: 2026, month: 7, day: 1, hour: 11, minute: 30), end: nil),
    // The night of 29 March 2026: at 02:00 it becomes 03:00, and the night is an hour shorter.
    Case(
      from: 2200, to: 700, now: utc(year: 2026, month: 3, day: 28, hour: 21, minute: 0),
      end: utc(year: 2026, month: 3, day: 29, hour: 5, minute: 0)),
    // They end within what is skipped: with the change.
    Case(
      from: 2200, to: 230, now: utc(year: 2026, month: 3, day: 28, hour: 23, minute: 0),
      end: utc(year: 2026, month: 3, day: 29, hour: 1, minute: 0)),
    // They begin within what is skipped: with the change.
    Case(
      from: 230, to: 700, now: utc(year: 2026, month: 3, day: 29, hour: 0, minute: 59), end: nil),
    Case(
      from: 230, to: 700, now: utc(year: 2026, month: 3, day: 29, hour: 1, minute: 0),
      end: utc(year: 2026, month: 3, day: 29, hour: 5, minute: 0)),
    // All of them are skipped.
    Case(from: 205, to: 255, now: utc(year: 2026, month: 3, day: 29, hour: 1, minute: 0), end: nil),
    // The night of 25 October 2026: at 03:00 it becomes 02:00, and the night is an hour longer.
    Case(
      from: 2200, to: 700, now: utc(year: 2026, month: 10, day: 24, hour: 20, minute: 0),
      end: utc(year: 2026, month: 10, day: 25, hour: 6, minute: 0)),
    // They end in the repeated hour: once, and again after the change until the end for good.
    Case(
      from: 2200, to: 230, now: utc(year: 2026, month: 10, day: 24, hour: 22, minute: 0),
      end: utc(year: 2026, month: 10, day: 25, hour: 0, minute: 30)),
    Case(
      from: 2200, to: 230, now: utc(year: 2026, month: 10, day: 25, hour: 0, minute: 45), end: nil),
    Case(
      from: 2200, to: 230, now: utc(year: 2026, month: 10, day: 25, hour: 1, minute: 0),
      end: utc(year: 2026, month: 10, day: 25, hour: 1, minute: 30)),
    Case(
      from: 2200, to: 230, now: utc(year: 2026, month: 10, day: 25, hour: 1, minute: 30), end: nil),
    // They begin in the repeated hour: the change ends them for half an hour.
    Case(
      from: 230, to: 700, now: utc(year: 2026, month: 10, day: 25, hour: 0, minute: 30),
      end: utc(year: 2026, month: 10, day: 25, hour: 1, minute: 0)),
    Case(
      from: 230, to: 700, now: utc(year: 2026, month: 10, day: 25, hour: 1, minute: 15), end: nil),
    Case(
      from: 230, to: 700, now: utc(year: 2026, month: 10, day: 25, hour: 1, minute: 30),
      end: utc(year: 2026, month: 10, day: 25, hour: 6, minute: 0)),
  ])
  func `quiet hours end by the local clock`(_ test: Case) {
    let hours = Self.hours(from: test.from, to: test.to, zone: Self.berlin)
    #expect(hours.end(for: .warning, at: test.now * 1000) == test.end.map { $0 * 1000 })
    #expect(hours.end(for: .critical, at: test.now * 1000) == nil)
  }

  @Test func `every minute of two years agrees with the local clock`() {
    let hours = Self.hours(from: 2215, to: 245, zone: Self.berlin)
    let begin = Self.utc(year: 2026, month: 1, day: 1, hour: 0, minute: 0)
    func isQuiet(_ second: Int64) -> Bool {
      let time = Self.berlin.secondOfDay(second) / 60
      return time >= 22 * 60 + 15 || time < 2 * 60 + 45
    }
    var next: Int64?
    // Backwards, so that the first quiet-free minute after each is known.
    for minute in stride(from: Int64(2 * 365 * 1440), through: 0, by: -1) {
      let second = begin + minute * 60
      guard isQuiet(second) else {
        next = second
        if hours.end(for: .info, at: second * 1000) != nil { Issue.record("at \(second)") }
        continue
      }
      guard let next else { continue }
      if hours.end(for: .info, at: second * 1000) != next * 1000 { Issue.record("at \(second)") }
    }
  }
}
