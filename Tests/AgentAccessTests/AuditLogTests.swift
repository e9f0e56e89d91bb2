import AgentJSON
import AgentStore
import AgentText
import Testing

@testable import AgentAccess

@Suite struct AuditLogTests {
  private let ada = Principal(kind: .person, name: "ada", scopes: [.operate])

  private func entry(_ target: String) -> AuditLog.Entry {
    .init(
      actor: ada, address: "127.0.0.1", action: "process.stop", target: target, outcome: "done",
      detail: ["reason": "asked"])
  }

  private func forged(_ number: Int64, _ hash: [UInt8]) -> AuditRow {
    AuditRow(
      number: number, timestamp: 5, actor: "person:eve", address: "x", action: "a", target: "t",
      outcome: "done", detail: [], hash: hash)
  }

  @Test func `a line has the actor, action, origin and outcome, and the chain holds`() async throws
  {
    let fixture = try await AccessFixture()
    let log = AuditLog(fixture.store, now: fixture.now)
    #expect(try await log.verify() == .init(lines: 0, head: nil, broken: nil))
    for target in ["a", "b", "c"] { try await log.append(entry(target)) }
    let newest = try await log.entries(limit: 2)
    #expect(newest.map(\.target) == ["c", "b"])
    #expect(newest.first?.actor == "person:ada")
    #expect(newest.first?.detail == Array(#"{"reason":"asked"}"#.utf8))
    let report = try await log.verify()
    #expect(report.lines == 3)
    #expect(report.broken == nil)
    let first = Hexadecimal.text(of: try await log.entries(.init(before: 2), limit: 1)[0].hash)
    #expect(try await log.verify(head: first).broken == nil)
    #expect(
      try await log.verify(head: "00").broken?.reason.contains("rewritten or removed") == true)
    await fixture.store.close()
  }

  @Test func `an unsealed line is found`() async throws {
    let fixture = try await AccessFixture()
    let log = AuditLog(fixture.store, now: fixture.now)
    try await log.append(entry("a"))
    let hash = Digest.of(Array("anything".utf8))
    try await fixture.store.write { [self] in try $0.audit.append(forged(2, hash)) }
    try await log.append(entry("c"))
    let report = try await log.verify()
    #expect(report.lines == 1)
    #expect(report.broken?.number == 2)
    await fixture.store.close()
  }

  @Test func `every field is sealed, and no text can move between fields`() {
    func row(_ actor: String, address: String, detail: String, at: Int64 = 1) -> AuditRow {
      AuditRow(
        number: 1, timestamp: at, actor: actor, address: address, action: "a", target: "t",
        outcome: "o", detail: Array(detail.utf8), hash: [])
    }
    let rows = [
      row("ab", address: "c", detail: "{}"), row("a", address: "bc", detail: "{}"),
      row("ab", address: "c", detail: "[]"), row("ab", address: "c", detail: "{}", at: 2),
    ]
    let seals = Set(rows.map { $0.sealed(after: []).hash } + [rows[0].sealed(after: [1]).hash])
    #expect(seals.count == 5)
    #expect(rows[0].sealed(after: [1]).fault(after: [1], number: 1) == nil)
    #expect(rows[0].sealed(after: [1]).fault(after: [1], number: 2) != nil)
  }

  @Test func `a verification that nobody waits for ends`() async throws {
    let fixture = try await AccessFixture()
    let log = AuditLog(fixture.store, now: fixture.now)
    let checking = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await log.verify()
    }
    await #expect(throws: CancellationError.self) { try await checking.value }
    await fixture.store.close()
  }

  @Test func `text from others is written visibly and cut short`() async throws {
    let fixture = try await AccessFixture()
    let log = AuditLog(fixture.store, now: fixture.now)
    try await log.append(entry("a\u{1B}[2K\nFAKE"))
    try await log.append(entry(String(repeating: "x", count: 16_000)))
    var large = entry("b")
    large.detail = ["x": .string(String(repeating: "y", count: 9000))]
    try await log.append(large)
    let lines = try await log.entries(limit: 3)
    #expect(lines[2].target == "a\\u{1b}[2K\\nFAKE")
    #expect(lines[1].target.utf8.count == AuditLog.longestTarget && lines[1].target.hasSuffix("…"))
    #expect(lines[0].detail == Array(#"{"omitted_bytes":9008}"#.utf8))
    #expect(try await log.verify().broken == nil)
    await fixture.store.close()
  }

  // MARK: Retention

  private func filled(_ count: Int, _ fixture: AccessFixture) async throws -> AuditLog {
    let log = AuditLog(fixture.store, now: fixture.now)
    for index in 0..<count {
      try await log.append(entry("t\(index)"))
      fixture.advance(1000)
    }
    return log
  }

  @Test func `old lines are cut off, and the rest still verifies`() async throws {
    let fixture = try await AccessFixture()
    let log = try await filled(10, fixture)
    let kept = Hexadecimal.text(of: try await log.entries(.init(before: 6), limit: 1)[0].hash)
    fixture.advance(86_400_000)
    #expect(try await log.trim(.init(age: 86_406_000, bytes: .max)) == 0)
    fixture.advance(86_400_000)
    #expect(try await log.trim(.init(age: 2 * 86_400_000 + 5_000, bytes: .max)) == 0)
    #expect(try await log.trim(.init(age: 86_400_000 + 5_000, bytes: .max)) == 10)
    let lines = try await log.entries(limit: 99)
    #expect(lines.map(\.number) == [11] && lines[0].action == "cut_audit")
    #expect(lines[0].target == "1 to 10" && lines[0].actor == "local:agent")
    let report = try await log.verify()
    #expect(report.broken == nil && report.lines == 1 && report.cut == 10)
    #expect(try await log.verify(head: kept).broken?.reason.contains("up to 10") == true)
    #expect(try await log.verify(head: Hexadecimal.text(of: lines[0].hash)).broken == nil)
    try await log.append(entry("after"))
    #expect(try await log.verify().lines == 2)
    await fixture.store.close()
  }

  @Test func `the oldest lines beyond the byte limit are cut off`() async throws {
    let fixture = try await AccessFixture()
    let log = try await filled(100, fixture)
    let bytes = try await fixture.store.read { try $0.audit.bytes(after: 0, through: 999) }
    #expect(try await log.trim(.init(age: .max / 4, bytes: bytes)) == 0)
    let gone = try await log.trim(.init(age: .max / 4, bytes: bytes / 2))
    #expect((50...60).contains(gone))
    #expect(
      try await fixture.store.read { try $0.audit.bytes(after: 0, through: 999) } <= bytes / 2)
    #expect(try await log.trim(.init(age: .max / 4, bytes: bytes / 2)) == 0)
    #expect(try await log.trim(.init(age: .max / 4, bytes: bytes / 4)) > 0)
    #expect(try await log.verify().broken == nil)
    await fixture.store.close()
  }

  @Test func `no line is cut off by age while the clock isn't trusted, and bytes still go`()
    async throws
  {
    let fixture = try await AccessFixture()
    let log = try await filled(100, fixture)
    // Somebody sets the clock to ten years later.
    fixture.advance(10 * 365 * 86_400_000)
    let day = AuditRetention(age: 86_400_000, bytes: .max)
    #expect(try await log.trim(day, trustsClock: false) == 0)
    let bytes = try await fixture.store.read { try $0.audit.bytes(after: 0, through: 999) }
    let gone = try await log.trim(
      AuditRetention(age: 86_400_000, bytes: bytes / 2), trustsClock: false)
    #expect((50...60).contains(gone))
    #expect(try await log.trim(day) == 100 - gone)
    #expect(try await log.verify().broken == nil)
    await fixture.store.close()
  }

  @Test func `a line is counted once`() async throws {
    let fixture = try await AccessFixture()
    let counting = CountingStore(fixture.store)
    _ = try await filled(30, fixture)
    let log = AuditLog(counting, now: fixture.now)
    let rule = AuditRetention(age: .max / 4, bytes: .max)
    #expect(try await log.trim(rule) == 0)
    #expect(counting.reads == 2)
    // Nothing was added: only the ends of the log are read.
    #expect(try await log.trim(rule) == 0)
    #expect(counting.reads == 3)
    try await log.append(entry("new"))
    let bytes = try await fixture.store.read { try $0.audit.bytes(after: 0, through: 999) }
    #expect(try await log.trim(.init(age: .max / 4, bytes: bytes)) == 0)
    #expect(try await log.trim(.init(age: .max / 4, bytes: bytes - 1)) > 0)
    // The removed lines are subtracted, and the line about the cut is added.
    let rest = try await fixture.store.read { try $0.audit.bytes(after: 0, through: 999) }
    #expect(try await log.trim(.init(age: .max / 4, bytes: rest)) == 0)
    #expect(try await log.trim(.init(age: .max / 4, bytes: rest - 1)) > 0)
    #expect(try await log.verify().broken == nil)
    await fixture.store.close()
  }

  @Test func `lines that are cut off and not removed yet verify, and aren't shown`() async throws {
    let fixture = try await AccessFixture()
    let log = try await filled(6, fixture)
    let fourth = try await log.entries(.init(before: 5), limit: 1)[0]
    let cut = AuditCut(number: 4, hash: fourth.hash)
    var entry = entry("1 to 4")
    (entry.action, entry.detail) = ("cut_audit", cut.detail)
    try await log.append(entry)
    for removed in [0, 2, 1, 1] {
      try await fixture.store.write { transaction in
        if try transaction.audit.cut() == nil { try transaction.audit.cut(through: cut) }
        _ = try transaction.audit.removeCut(limit: removed)
      }
      let report = try await log.verify()
      #expect(report.broken == nil && report.lines == 3 && report.cut == 4)
      #expect(try await log.entries(limit: 9).map(\.number) == [7, 6, 5])
    }
    await fixture.store.close()
  }

  @Test func `what a killed host has cut off is removed, and nothing beyond it`() async throws {
    let fixture = try await AccessFixture()
    let log = try await filled(100, fixture)
    let line = try await log.entries(.init(before: 61), limit: 1)[0]
    let cut = AuditCut(number: 60, hash: line.hash)
    var entry = entry("1 to 60")
    (entry.action, entry.detail) = ("cut_audit", cut.detail)
    try await log.append(entry)
    try await fixture.store.write { try $0.audit.cut(through: cut) }
    let bytes = try await fixture.store.read { try $0.audit.bytes(after: 60, through: 999) }
    // By size, and by an age that the lines up to the cut alone exceed by a day.
    fixture.advance(2 * 86_400_000)
    let rule = AuditRetention(age: 86_400_000 + 65_000, bytes: bytes)
    #expect(try await AuditLog(fixture.store, now: fixture.now).trim(rule) == 0)
    let rest = try await fixture.store.read { (try $0.audit.first(), try $0.audit.cut()) }
    #expect(rest.0?.number == 61 && rest.1?.number == 60)
    let report = try await log.verify()
    #expect(report.broken == nil && report.lines == 41)
    await fixture.store.close()
  }

  /// Lines that are read as they are told, whatever was written.
  private final class Told: AuditReader {
    let rows: [AuditRow]
    init(_ rows: [AuditRow]) { self.rows = rows }
    func last() -> AuditRow? { rows.last }
    func first() -> AuditRow? { rows.first }
    func cut() -> AuditCut? { AuditCut(number: 4, hash: [4]) }
    func bytes(after number: Int64, through last: Int64) -> Int64 { 0 }
    func entries(after number: Int64, limit: Int) -> [AuditRow] {
      Array(rows.filter { $0.number > number }.prefix(limit))
    }
    func page(_ selection: AuditSelection, limit: Int) -> AuditPage {
      AuditPage(rows: [], before: nil)
    }
  }

  @Test func `a line inserted before the first one is found`() throws {
    let three = forged(3, [3])
    let four = forged(4, []).sealed(after: [3])
    #expect(try AuditBeginning(Told([forged(5, [5])])).fault == nil)
    for (rows, number) in [
      ([forged(0, [4])], 0), ([forged(-1, [4])], -1), ([forged(2, [4])], 2), ([three], 3),
      ([forged(4, [5])], 4), ([forged(2, [2]), forged(4, [4])], 2), ([three, four], 4),
    ] as [([AuditRow], Int64)] {
      let fault = try AuditBeginning(Told(rows + [forged(5, [5])])).fault
      #expect(fault?.number == number, "\(rows.map(\.number))")
    }
  }

  @Test func `a missing beginning without a line about its removal is found`() async throws {
    let fixture = try await AccessFixture()
    let log = try await filled(5, fixture)
    let second = try await log.entries(.init(before: 3), limit: 1)[0]
    try await fixture.store.write { transaction in
      try transaction.audit.cut(through: AuditCut(number: 2, hash: second.hash))
      _ = try transaction.audit.removeCut(limit: 9)
    }
    let report = try await log.verify()
    #expect(
      report.broken?.reason
        == "The lines up to 2 are missing, and no line records their removal.")
    await fixture.store.close()
  }

  @Test func `the chain breaks unless a line says where the beginning was cut off`() {
    let cut = AuditCut(number: 7, hash: [1, 2])
    func line(_ detail: JSONObject, after hash: [UInt8]) -> AuditRow {
      AuditRow(
        number: 8, timestamp: 1, actor: "local:agent", address: "agent", action: "cut_audit",
        target: "", outcome: "done", detail: JSONValue.object(detail).bytes(), hash: []
      ).sealed(after: hash)
    }
    for (detail, isRight) in [
      (cut.detail, true), (AuditCut(number: 6, hash: [1, 2]).detail, false),
      (AuditCut(number: 7, hash: [1, 3]).detail, false), ([:], false),
    ] {
      var chain = AuditChain(after: cut)
      #expect(chain.add(line(detail, after: [1, 2])) == nil)
      #expect((chain.faultAtEnd == nil) == isRight, "\(detail)")
    }
    var other = AuditChain(after: cut)
    #expect(other.add(line(cut.detail, after: [9])) != nil)
  }
}
