import AgentJSON
import AgentStore
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

  @Test func `lines say who, what, from where and how it ended, and the chain holds`() async throws
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
    let first = Digest.text(try await log.entries(.init(before: 2), limit: 1)[0].hash)
    #expect(try await log.verify(head: first).broken == nil)
    #expect(try await log.verify(head: "00").broken?.reason.contains("cut off") == true)
    await fixture.store.close()
  }

  @Test func `a line that nobody sealed is found`() async throws {
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

  @Test func `every field is under the seal, and none can lend to the next`() {
    func row(_ actor: String, _ address: String, _ detail: String, _ at: Int64 = 1) -> AuditRow {
      AuditRow(
        number: 1, timestamp: at, actor: actor, address: address, action: "a", target: "t",
        outcome: "o", detail: Array(detail.utf8), hash: [])
    }
    let rows = [
      row("ab", "c", "{}"), row("a", "bc", "{}"), row("ab", "c", "[]"), row("ab", "c", "{}", 2),
    ]
    let seals = Set(rows.map { $0.sealed(after: []).hash } + [rows[0].sealed(after: [1]).hash])
    #expect(seals.count == 5)
    #expect(rows[0].sealed(after: [1]).fault(after: [1], number: 1) == nil)
    #expect(rows[0].sealed(after: [1]).fault(after: [1], number: 2) != nil)
  }

  @Test func `a check that nobody waits for any more ends`() async throws {
    let fixture = try await AccessFixture()
    let log = AuditLog(fixture.store, now: fixture.now)
    let checking = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await log.verify()
    }
    await #expect(throws: CancellationError.self) { try await checking.value }
    await fixture.store.close()
  }
}
