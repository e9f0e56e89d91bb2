import Testing

@testable import AgentNotifications

/// The wall clock of a place decides, also on the days on which it is changed.
@Suite struct QuietHoursTests {
  /// Central European Time as the time zone database ends it.
  private static let berlin = zone("CET-1CEST,M3.5.0,M10.5.0/3")

  private static func zone(_ footer: String) -> ZoneRules {
    ZoneRules(initial: 0, changes: [], rule: ZoneFooter(parsing: footer))
  }

  /// Unix seconds of a moment of UTC.
  private static func utc(_ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int, _ minute: Int)
    -> Int64
  {
    CivilDay.number(year, month, day) * 86_400 + Int64(hour * 3600 + minute * 60)
  }

  private static func hours(_ from: Int, _ to: Int, _ zone: ZoneRules) -> QuietHours {
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
    Case(from: 2200, to: 700, now: utc(2026, 1, 10, 20, 59), end: nil),
    Case(from: 2200, to: 700, now: utc(2026, 1, 10, 21, 0), end: utc(2026, 1, 11, 6, 0)),
    Case(from: 2200, to: 700, now: utc(2026, 1, 11, 5, 59), end: utc(2026, 1, 11, 6, 0)),
    Case(from: 2200, to: 700, now: utc(2026, 1, 11, 6, 0), end: nil),
    // In summer two hours ahead, and hours within a day.
    Case(from: 1200, to: 1330, now: utc(2026, 7, 1, 10, 0), end: utc(2026, 7, 1, 11, 30)),
    Case(from: 1200, to: 1330, now: utc(2026, 7, 1, 11, 30), end: nil),
    // The night of 29 March 2026: at 02:00 it becomes 03:00, and the night is an hour shorter.
    Case(from: 2200, to: 700, now: utc(2026, 3, 28, 21, 0), end: utc(2026, 3, 29, 5, 0)),
    // They end within what is skipped: with the change.
    Case(from: 2200, to: 230, now: utc(2026, 3, 28, 23, 0), end: utc(2026, 3, 29, 1, 0)),
    // They begin within what is skipped: with the change.
    Case(from: 230, to: 700, now: utc(2026, 3, 29, 0, 59), end: nil),
    Case(from: 230, to: 700, now: utc(2026, 3, 29, 1, 0), end: utc(2026, 3, 29, 5, 0)),
    // All of them are skipped.
    Case(from: 205, to: 255, now: utc(2026, 3, 29, 1, 0), end: nil),
    // The night of 25 October 2026: at 03:00 it becomes 02:00, and the night is an hour longer.
    Case(from: 2200, to: 700, now: utc(2026, 10, 24, 20, 0), end: utc(2026, 10, 25, 6, 0)),
    // They end in the repeated hour: once, and again after the change until the end for good.
    Case(from: 2200, to: 230, now: utc(2026, 10, 24, 22, 0), end: utc(2026, 10, 25, 0, 30)),
    Case(from: 2200, to: 230, now: utc(2026, 10, 25, 0, 45), end: nil),
    Case(from: 2200, to: 230, now: utc(2026, 10, 25, 1, 0), end: utc(2026, 10, 25, 1, 30)),
    Case(from: 2200, to: 230, now: utc(2026, 10, 25, 1, 30), end: nil),
    // They begin in the repeated hour: the change ends them for half an hour.
    Case(from: 230, to: 700, now: utc(2026, 10, 25, 0, 30), end: utc(2026, 10, 25, 1, 0)),
    Case(from: 230, to: 700, now: utc(2026, 10, 25, 1, 15), end: nil),
    Case(from: 230, to: 700, now: utc(2026, 10, 25, 1, 30), end: utc(2026, 10, 25, 6, 0)),
  ])
  func `quiet hours end when the clock on the wall says so`(_ test: Case) {
    let hours = Self.hours(test.from, test.to, Self.berlin)
    #expect(hours.end(for: .warning, at: test.now * 1000) == test.end.map { $0 * 1000 })
    #expect(hours.end(for: .critical, at: test.now * 1000) == nil)
  }

  @Test func `every minute of two years agrees with the clock on the wall`() {
    let hours = Self.hours(2215, 245, Self.berlin)
    let begin = Self.utc(2026, 1, 1, 0, 0)
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

  @Test(
    arguments: [
      ("<+0530>-5:30", 19_800, nil), ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
      ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", -10_800, -7_200), ("UTC0", 0, nil),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", 3600, 0), ("AAA3BBB,J60/0,J300", -10_800, -7_200),
      ("AAA3BBB2:30,59,299/26", -10_800, -9_000),
    ] as [(String, Int, Int?)])
  func `footers are read`(_ text: String, standard: Int, summer: Int?) throws {
    let footer = try #require(ZoneFooter(parsing: text))
    #expect(footer.standard == standard && footer.summer?.offset == summer)
  }

  @Test(arguments: [
    "", "C1", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.5.0", "CET-1x",
    "<+03-3", "CET-999", "CET-1CEST,J0,J1", "CET-1CEST,400,1", "CET-1CEST,M3.5.0,M10.5.0/3x",
    "CET-1:99",
  ])
  func `what is no footer is refused`(_ text: String) {
    #expect(ZoneFooter(parsing: text) == nil)
  }

  @Test func `a file that isn't one is refused, wherever it breaks off`() throws {
    let file = TZifSample.file(
      moments: [-1_000, 1_000_000], kinds: [1, 0], offsets: [3600, 7200], footer: "CET-1")
    let rules = try #require(ZoneRules(tzif: file))
    #expect(rules.offset(at: -2_000) == 3600 && rules.offset(at: -1_000) == 7200)
    #expect(rules.offset(at: 1_000_000) == 3600 && rules.offset(at: 5_000_000) == 3600)
    #expect(rules.nextChange(after: 0) == 1_000_000 && rules.nextChange(after: 1_000_000) == nil)
    for count in 0..<(file.count - 8) { #expect(ZoneRules(tzif: Array(file.prefix(count))) == nil) }
    var wrongKind = file
    wrongKind[TZifSample.firstKind] = 9
    #expect(ZoneRules(tzif: wrongKind) == nil)
  }
}

/// Makes small files of RFC 8536.
enum TZifSample {
  /// Where the kind of the first change lies.
  static let firstKind = 44 + 6 + 44 + 16

  private static func number(_ value: Int64, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> Int64($0 * 8)) }
  }

  private static func header(_ times: Int, _ types: Int) -> [UInt8] {
    Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
      + [0, 0, 0, times, types, 0].flatMap { number(Int64($0), 4) }
  }

  /// A file whose first part is empty, as those of version 2 may be.
  static func file(moments: [Int64], kinds: [UInt8], offsets: [Int64], footer: String) -> [UInt8] {
    header(0, 1) + number(0, 4) + [0, 0] + header(moments.count, offsets.count)
      + moments.flatMap { number($0, 8) } + kinds + offsets.flatMap { number($0, 4) + [0, 0] }
      + Array("\n\(footer)\n".utf8)
  }
}
