import AgentJSON
import AgentStore
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import AgentAccess

@Suite struct AccessControlTests {
  private let stop = AuditLog.Entry(
    actor: Principal(kind: .local, name: "1000", scopes: [.administer]), address: "unix",
    action: "process.stop", target: "trades", outcome: "done")

  @Test func `calls before the database is open are told to try again`() async throws {
    let complaints = Mutex<[String]>([])
    let desk = AccessControl(now: { 0 }) { text in complaints.withLock { $0.append(text) } }
    let error = #expect(throws: AccessError.self) { try desk.principal(bearer: "bulkhead_a_b") }
    #expect(error?.code == .notReady)
    #expect(!desk.isOpen && desk.isEmpty)
    await desk.record(stop)
    #expect(
      complaints.withLock(\.self) == [
        "The audit log is missing this entry: local:1000 from unix: process.stop trades: done. "
          + "The agent is still starting; try again in a moment."
      ])
  }

  @Test func `the database's tokens and users are known once it is open`() async throws {
    let fixture = try await AccessFixture()
    let tokens = try await TokenRegistry(fixture.store, now: fixture.now)
    let (row, text) = try await tokens.create(.init(name: "a", scopes: [.read]))
    let desk = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await desk.open(fixture.store)
    #expect(desk.isOpen && !desk.isEmpty)
    #expect(try desk.principal(bearer: text).token == row.id)
    #expect(try desk.principal(bearer: text[...]).label == "program:a")
    // At the end it is written down when it was used.
    await desk.close()
    #expect(try await fixture.store.read { try $0.tokens.tokens() }.map(\.used) == [960_000])
    #expect(!desk.isOpen)
    await fixture.store.close()
  }

  @Test func `an audit record is durable when the call returns`() async throws {
    let fixture = try await AccessFixture()
    let desk = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await desk.open(fixture.store)
    await withTaskGroup { group in
      for _ in 0..<50 { group.addTask { await desk.record(self.stop) } }
    }
    let report = try await AuditLog(fixture.store, now: fixture.now).verify()
    #expect(report.lines == 50)
    #expect(report.broken == nil)
    await fixture.store.close()
  }

  @Test func `an answer doesn't wait for a slow disk, and a lost line is reported`() async throws {
    let fixture = try await AccessFixture()
    let (complaints, complain) = AsyncStream.makeStream(of: String.self)
    let desk = AccessControl(now: fixture.now, patience: {}) { complain.yield($0) }
    try await desk.open(fixture.store)
    let held = DispatchSemaphore(value: 0)
    fixture.store.submit(.savepoint) { _ in
      held.wait()
    } completion: { _ in
    }
    await desk.record(stop)
    held.signal()
    await fixture.store.close()
    await desk.record(stop)
    let first = await complaints.first { _ in true }
    #expect(first?.contains("process.stop trades") == true)
  }

  @Test func `similar refusals are one line and a count per minute`() async throws {
    let fixture = try await AccessFixture()
    let desk = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await desk.open(fixture.store)
    var refused = stop
    refused.outcome = "forbidden"
    for index in 0..<500 {
      refused.target = "t\(index)"
      await desk.record(refused)
    }
    await desk.record(stop)
    var other = refused
    other.action = "delete_token"
    await desk.record(other)
    let log = AuditLog(fixture.store, now: fixture.now)
    #expect(try await log.entries(limit: 9).map(\.target) == ["t499", "trades", "t0"])
    await desk.tend()
    #expect(try await log.entries(limit: 9).count == 3)
    fixture.advance(60_000)
    await desk.tend()
    let counted = try await log.entries(limit: 1)[0]
    #expect(counted.target == "t499" && counted.outcome == "forbidden")
    #expect(counted.detail == Array(#"{"count":499,"since":1000000}"#.utf8))
    // Nothing is left to say, and the next one is the first again.
    fixture.advance(60_000)
    await desk.tend()
    #expect(try await log.entries(limit: 9).count == 4)
    await desk.record(refused)
    await desk.record(refused)
    #expect(try await log.entries(limit: 9).count == 5)
    await desk.close()
    #expect(try await log.entries(limit: 9).count == 6)
    #expect(try await log.verify().broken == nil)
    await fixture.store.close()
  }

  @Test func `a network with many addresses writes no more lines than one address`() async throws {
    let fixture = try await AccessFixture()
    let desk = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await desk.open(fixture.store)
    var refused = stop
    (refused.outcome, refused.client) = ("forbidden", "2001:db8::/64")
    for index in 0..<2_500 {
      refused.address = "2001:db8::\(index)"
      await desk.record(refused)
    }
    let log = AuditLog(fixture.store, now: fixture.now)
    #expect(try await log.entries(limit: 9).map(\.address) == ["2001:db8::0"])
    await desk.close()
    await fixture.store.close()
  }

  @Test func `a counted refusal is written once, however many kinds there are`() async throws {
    let fixture = try await AccessFixture()
    let desk = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await desk.open(fixture.store)
    var refused = stop
    refused.outcome = "forbidden"
    // As many kinds as are counted at a time, the first of them twice.
    for index in 0..<1_000 {
      refused.client = "c\(index)"
      await desk.record(refused)
    }
    refused.client = "c0"
    await desk.record(refused)
    fixture.advance(60_000)
    // Its minute is over; its count is said with its next first.
    await desk.record(refused)
    let log = AuditLog(fixture.store, now: fixture.now)
    let details = try await log.entries(limit: 5).map { String(decoding: $0.detail, as: UTF8.self) }
    #expect(details.filter { $0.contains("count") }.count == 1, "\(details)")
    await desk.close()
    await fixture.store.close()
  }

  @Test func `the audit log is cut as the settings say, and only once they are known`() async throws
  {
    let fixture = try await AccessFixture()
    let desk = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await desk.open(fixture.store)
    for _ in 0..<3 { await desk.record(stop) }
    fixture.advance(10 * 86_400_000)
    await desk.tend()
    #expect(try await desk.verifyAudit()["lines"] == 3)
    desk.auditRetention = AuditRetention(age: 86_400_000)
    await desk.tend()
    let report = try await desk.verifyAudit()
    #expect(report["ok"] == true && report["lines"] == 1 && report["cut"] == 3)
    await fixture.store.close()
  }
}
