import Testing

@testable import AgentSchedules

@Suite("Files of time zones")
struct TimeZoneFileTests {
  @Test(
    arguments: [
      ("<+0530>-5:30", 19_800, nil), ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
      ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", -10_800, -7_200), ("UTC0", 0, nil),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", 3600, 0), ("AAA3BBB,J60/0,J300", -10_800, -7_200),
      ("AAA3BBB2:30,59,299/26", -10_800, -9_000),
    ] as [(String, Int, Int?)])
  func `valid footers are read`(_ text: String, standard: Int, summer: Int?) throws {
    let footer = try #require(PosixTimeZone(Array(text.utf8)[...]))
    #expect(footer.standard == standard && footer.saving?.offset == summer)
  }

  @Test(arguments: [
    "", "C1", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.5.0", "CET-1x",
    "<+03-3", "CET-999", "CET-1CEST,J0,J1", "CET-1CEST,400,1", "CET-1CEST,M3.5.0,M10.5.0/3x",
    "CET-1:99",
  ])
  func `a text that is no footer is refused`(_ text: String) {
    #expect(PosixTimeZone(Array(text.utf8)[...]) == nil)
  }

  @Test func `an invalid file is refused, wherever it breaks off`() throws {
    let file = TZifSample.file(
      moments: [-1_000, 1_000_000], kinds: [1, 0], offsets: [3600, 7200], footer: "CET-1")
    let rules = try TimeZoneRules(name: "test", file: file)
    #expect(rules.offset(at: -2_000_000) == 3600 && rules.offset(at: -1_000_000) == 7200)
    #expect(rules.offset(at: 1_000_000_000) == 3600 && rules.offset(at: 5_000_000_000) == 3600)
    #expect(
      rules.nextChange(after: 0) == 1_000_000_000
        && rules.nextChange(after: 1_000_000_000) == nil)
    for count in 0..<(file.count - 8) {
      #expect(throws: TimeZoneError.self) {
        try TimeZoneRules(name: "test", file: Array(file.prefix(count)))
      }
    }
    var wrongKind = file
    wrongKind[TZifSample.firstKind] = 9
    #expect(throws: TimeZoneError.self) { try TimeZoneRules(name: "test", file: wrongKind) }
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
