import AgentSchedules
import Glibc
import Testing

@Suite("Time zones")
struct TimeZoneTests {
  static let zones = TimeZoneDatabase()

  @Test(arguments: [
    ("Europe/Berlin", "2026-01-01T12:00:00", 3600), ("Europe/Berlin", "2026-07-01T12:00:00", 7200),
    ("Europe/Berlin", "2026-03-29T00:59:59", 3600), ("Europe/Berlin", "2026-03-29T01:00:00", 7200),
    ("America/New_York", "2026-07-01T12:00:00", -14400),
    ("Asia/Kolkata", "2026-07-01T12:00:00", 19800),
    ("Asia/Kathmandu", "2026-07-01T12:00:00", 20700),
    ("Pacific/Apia", "2011-12-30T09:59:59", -36000),
    ("Pacific/Apia", "2011-12-30T10:00:00", 50400), ("UTC", "2026-07-01T12:00:00", 0),
    // Long past the table, by the footer's rule.
    ("Europe/Berlin", "2345-07-01T12:00:00", 7200), ("Europe/Berlin", "2345-12-31T12:00:00", 3600),
    ("Australia/Sydney", "2345-01-01T12:00:00", 39600),
    ("Australia/Sydney", "2345-07-01T12:00:00", 36000),
    // Before the table: local mean time.
    ("Europe/Berlin", "1800-01-01T00:00:00", 3208),
  ])
  func `a zone has its offset at any time`(name: String, time: String, offset: Int) throws {
    #expect(try Self.zones.zone(named: name).offset(at: utc(time)) == offset)
  }

  @Test func `a zone distinguishes skipped and repeated times`() throws {
    let zone = try Self.zones.zone(named: "Europe/Berlin")
    let skipped = try #require(LocalTime(year: 2026, month: 3, day: 29, hour: 2, minute: 30))
    #expect(zone.resolve(skipped) == .skipped(jump: try utc("2026-03-29T01:00:00")))
    let repeated = try #require(LocalTime(year: 2026, month: 10, day: 25, hour: 2, minute: 30))
    #expect(
      zone.resolve(repeated)
        == .repeated(first: try utc("2026-10-25T00:30:00"), second: try utc("2026-10-25T01:30:00")))
    let once = try #require(LocalTime(year: 2026, month: 10, day: 25, hour: 3))
    #expect(zone.resolve(once) == .once(try utc("2026-10-25T02:00:00")))
    let far = try #require(LocalTime(year: 2500, month: 3, day: 28, hour: 2, minute: 30))
    #expect(zone.resolve(far) == .skipped(jump: try utc("2500-03-28T01:00:00")))
  }

  @Test func `a zone is read once and shared`() throws {
    #expect(try Self.zones.zone(named: "Asia/Tokyo") === Self.zones.zone(named: "Asia/Tokyo"))
  }

  @Test(arguments: [
    "", "/etc/passwd", "../../etc/passwd", "Europe/../../../etc/passwd", "Europe//Berlin",
    "Europe/",
    "Europe/Berlin\u{0}", "a.b", "Europe/B\u{e4}rlin", String(repeating: "a", count: 65),
  ])
  func `a zone's name can't lead outside the folder`(name: String) {
    let error = #expect(throws: TimeZoneError.self) { try Self.zones.zone(named: name) }
    #expect(error?.code == .name)
  }

  @Test(arguments: [
    ("Europe/Berlni", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"),
    ("America/NewYork", "America/New_York"),
  ])
  func `an unknown zone is refused with the nearest name`(name: String, nearest: String) {
    let error = #expect(throws: TimeZoneError.self) { try Self.zones.zone(named: name) }
    #expect(error?.code == .unknown)
    #expect(error?.message.contains("Did you mean \(nearest)?") == true, "\(error?.message ?? "")")
  }

  @Test func `a missing package leaves UTC alone, and the error names the package`() throws {
    let zones = TimeZoneDatabase(directory: "/nonexistent")
    #expect(try zones.zone(named: "UTC") === TimeZoneRules.utc)
    let error = #expect(throws: TimeZoneError.self) { try zones.zone(named: "Europe/Berlin") }
    #expect(error?.message.contains("Debian package tzdata") == true)
    #expect(error?.code == .unknown)
  }

  @Test func `a folder and a table aren't zones`() {
    for name in ["Europe", "leapseconds", "tzdata"] {
      #expect(throws: TimeZoneError.self) { try Self.zones.zone(named: name) }
    }
  }

  @Test func `every zone of the package can be read`() throws {
    let names = Self.zones.names()
    #expect(names.count > 300)
    for name in names { _ = try Self.zones.zone(named: name) }
  }
}

@Suite("POSIX time zone rules")
struct PosixTimeZoneTests {
  /// A file without a table, whose footer is all there is.
  static func file(footer: String, version: UInt8 = 0x32) -> [UInt8] {
    func header(types: UInt8) -> [UInt8] {
      Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15 + 16) + [0, 0, 0, types]
        + [0, 0, 0, 4]
    }
    let data: [UInt8] = [0, 0, 0, 0, 0, 0] + Array("UTC\0".utf8)
    return header(types: 1) + data + header(types: 1) + data + [0x0a] + Array(footer.utf8) + [0x0a]
  }

  @Test(arguments: [
    ("EST5", "2026-07-01T00:00:00", -18000), ("<+0330>-3:30", "2026-07-01T00:00:00", 12600),
    ("<-12>12", "2026-07-01T00:00:00", -43200),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01T00:00:00", 7200),
    ("AAA+1:02:03", "2026-07-01T00:00:00", -3723),
    // The last Sunday of March 2026 is the 29th.
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59", 3600),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00", 7200),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:59:59", 7200),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00", 3600),
    // Greenland, from RFC 8536's errata: hours before midnight.
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59", -7200),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00", -3600),
    // Beyond a day: the Thursday before the last Sunday's week, 50 hours later.
    ("IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-26T23:59:59", 7200),
    ("IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-27T00:00:00", 10800),
    // Ireland: winter is the one that is saved.
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00", 0),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00", 3600),
    // All year, as RFC 8536 writes it.
    ("XXX3EDT4,0/0,J365/23", "2026-07-01T00:00:00", -14400),
    ("EST5EDT,0/0,J365/25", "2026-01-01T12:00:00", -14400),
    ("EST5EDT,0/0,J365/25", "2026-01-01T04:30:00", -14400),
    // Day 60 is March 1 in each year for J, and in leap years February 29 otherwise.
    ("AAA0BBB,J60/0,J300", "2028-02-29T23:59:59", 0),
    ("AAA0BBB,J60/0,J300", "2028-03-01T00:00:00", 3600),
    ("AAA0BBB,59/0,300", "2028-02-28T23:59:59", 0),
    ("AAA0BBB,59/0,300", "2028-02-29T00:00:00", 3600),
  ])
  func `a footer's rule is applied`(footer: String, time: String, offset: Int) throws {
    let zone = try TimeZoneRules(name: "test", file: Self.file(footer: footer))
    #expect(try zone.offset(at: utc(time)) == offset)
  }

  @Test(arguments: [
    "E5", "EST", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0",
    "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,M3.2.0,M11.1.0,", "EST25", "EST5EDT,J0,J5", "EST5EDT,366,5",
    "<EST5", "EST5EDT,M3.2.0/168,M11.1.0", "EST5:60", "EST99999999999999999999", "5", ",", "EST5 ",
  ])
  func `a malformed footer is refused`(footer: String) {
    let error = #expect(throws: TimeZoneError.self) {
      try TimeZoneRules(name: "test", file: Self.file(footer: footer))
    }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("its footer isn't a rule") == true)
  }
}
