import AgentSchedules
import Glibc
import TestSupport
import Testing

/// The bytes of a zone's file.
func zoneFile(_ name: String) throws -> [UInt8] {
  let file = try #require(fopen("\(TimeZoneDatabase.usualDirectory)/\(name)", "r"))
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let count = fread(&bytes, 1, bytes.count, file)
  return Array(bytes.prefix(count))
}

@Suite("Damaged time zones")
struct TimeZoneDamageTests {
  @Test(arguments: ["Europe/Berlin", "Pacific/Apia", "UTC"])
  func `a file cut off anywhere is an error`(name: String) throws {
    let bytes = try zoneFile(name)
    _ = try TimeZoneRules(name: name, file: bytes)
    for length in 0..<bytes.count {
      let error = #expect(throws: TimeZoneError.self, "cut at \(length)") {
        try TimeZoneRules(name: name, file: Array(bytes.prefix(length)))
      }
      #expect(error?.code == .damaged)
    }
  }

  @Test func `wrong bytes are an error or usable rules`() throws {
    var random = SeededGenerator(seed: 8536)
    let whole = try zoneFile("Europe/Berlin")
    let expression = try CronExpression("30 2 * * *")
    let now = try utc("2026-03-28T12:00:00")
    let local = try #require(LocalTime(year: 2026, month: 3, day: 29, hour: 2, minute: 30))
    var readable = 0
    for round in 0..<5000 {
      var bytes = whole
      for _ in 0...Int.random(in: 0...(round.isMultiple(of: 2) ? 2 : 30), using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      guard let zone = try? TimeZoneRules(name: "test", file: bytes) else { continue }
      readable += 1
      _ = zone.resolve(local)
      if let next = expression.next(after: now, in: zone) { #expect(next > now) }
      if let next = expression.next(after: now + 20_000_000_000_000, in: zone) {
        #expect(next > now + 20_000_000_000_000)
      }
    }
    #expect(readable > 100)
  }

  @Test func `random bytes after a valid beginning are an error or usable rules`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<5000 {
      var bytes: [UInt8] = Array("TZif".utf8) + [UInt8.random(in: 0x31...0x35, using: &random)]
      bytes += Array(repeating: 0, count: 15)
      for _ in 0..<6 { bytes += [0, 0, 0, .random(in: 0...3, using: &random)] }
      let count = Int.random(in: 0...120, using: &random)
      bytes += (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      guard let zone = try? TimeZoneRules(name: "test", file: bytes) else { continue }
      #expect(abs(zone.offset(at: 0)) <= 26 * 3600)
    }
  }
}
