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
    let access = AccessControl(now: { 0 }) { text in complaints.withLock { $0.append(text) } }
    let error = #expect(throws: AccessError.self) { try access.principal(bearer: "bulkhead_a_b") }
    #expect(error?.code == .notReady)
    #expect(!access.isOpen && access.isEmpty)
    await access.record(stop)
    #expect(
      complaints.withLock(\.self) == [
        "The audit log is missing this entry: local:1000 from unix: process.stop trades: done. "
          + "The agent is still starting; try again in a moment."
      ])
  }

  /// A store without room for some writes.
  private final class FullStore: Store {
    private let store: any Store
    let failures = Mutex(0)

    init(_ store: any Store) { self.store = store }

    func submit<Value: Sendable>(
      _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
      completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
      let isFull = failures.withLock { failures in
        failures -= 1
        return failures >= 0
      }
      if isFull { return completion(.failure(StoreError(.full, "The disk is full."))) }
      store.submit(kind, body, completion: completion)
    }

    func read<Value: Sendable>(
      _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
    ) async throws -> Value { try await store.read(body) }

    var condition: StoreCondition { store.condition }
    var statistics: StoreStatistics { store.statistics }
    func close() async { await store.close() }
  }

  @Test func `a full disk isn't a refusal of the declared users, who are added once there is room`()
    async throws
  {
    let fixture = try await AccessFixture()
    let store = FullStore(fixture.store)
    let access = AccessControl(now: fixture.now) { _ in }
    try await access.open(store)
    let hash = try PasswordHash.of("correct horse")
    let users = [
      GivenUser("ada", role: "administrator", hash: hash),
      GivenUser("bob", role: "king", hash: hash),
    ]
    store.failures.withLock { $0 = 1 }
    let first = await access.takeOver(users)
    #expect(first.obstacle?.code == .full && first.refusals.isEmpty)
    #expect(access.isEmpty)
    let second = await access.takeOver(users)
    #expect(second.obstacle == nil && second.refusals.count == 1 && !access.isEmpty)
    await access.close()
    await fixture.store.close()
  }

  @Test func `the database's tokens and users are known once it is open`() async throws {
    let fixture = try await AccessFixture()
    let tokens = try await TokenRegistry(fixture.store, now: fixture.now)
    let (row, text) = try await tokens.create(.init(name: "a", scopes: [.read]))
    let access = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await access.open(fixture.store)
    #expect(access.isOpen && !access.isEmpty)
    #expect(try access.principal(bearer: text).token == row.id)
    #expect(try access.principal(bearer: text[...]).label == "program:a")
    // At the end it is written down when it was used.
    await access.close()
    #expect(try await fixture.store.read { try $0.tokens.tokens() }.map(\.used) == [960_000])
    #expect(!access.isOpen)
    await fixture.store.close()
  }

  @Test func `an audit record is durable when the call returns`() async throws {
    let fixture = try await AccessFixture()
    let access = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await access.open(fixture.store)
    await withTaskGroup { group in
      for _ in 0..<50 { group.addTask { await access.record(self.stop) } }
    }
    let report = try await AuditLog(fixture.store, now: fixture.now).verify()
    #expect(report.lines == 50)
    #expect(report.broken == nil)
    await fixture.store.close()
  }

  @Test func `an answer doesn't wait for a slow disk, and a lost line is reported`() async throws {
    let fixture = try await AccessFixture()
    let (complaints, complain) = AsyncStream.makeStream(of: String.self)
    let access = AccessControl(now: fixture.now, patience: {}) { complain.yield($0) }
    try await access.open(fixture.store)
    let held = DispatchSemaphore(value: 0)
    fixture.store.submit(.savepoint) { _ in
      held.wait()
    } completion: { _ in
    }
    await access.record(stop)
    held.signal()
    await fixture.store.close()
    await access.record(stop)
    let first = await complaints.first { _ in true }
    #expect(first?.contains("process.stop trades") == true)
  }

  @Test func `similar refusals are one line and a count per minute`() async throws {
    let fixture = try await AccessFixture()
    let access = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await access.open(fixture.store)
    var refused = stop
    refused.outcome = "forbidden"
    for index in 0..<500 {
      refused.target = "t\(index)"
      await access.record(refused)
    }
    await access.record(stop)
    var other = refused
    other.action = "delete_token"
    await access.record(other)
    let log = AuditLog(fixture.store, now: fixture.now)
    #expect(try await log.entries(limit: 9).map(\.target) == ["t499", "trades", "t0"])
    await access.runRetention()
    #expect(try await log.entries(limit: 9).count == 3)
    fixture.advance(60_000)
    await access.runRetention()
    let counted = try await log.entries(limit: 1)[0]
    #expect(counted.target == "t499" && counted.outcome == "forbidden")
    #expect(counted.detail == Array(#"{"count":499,"since":1000000}"#.utf8))
    // Nothing is left to say, and the next one is the first again.
    fixture.advance(60_000)
    await access.runRetention()
    #expect(try await log.entries(limit: 9).count == 4)
    await access.record(refused)
    await access.record(refused)
    #expect(try await log.entries(limit: 9).count == 5)
    await access.close()
    #expect(try await log.entries(limit: 9).count == 6)
    #expect(try await log.verify().broken == nil)
    await fixture.store.close()
  }

  @Test func `a network with many addresses writes no more lines than one address`() async throws {
    let fixture = try await AccessFixture()
    let access = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await access.open(fixture.store)
    var refused = stop
    (refused.outcome, refused.client) = ("forbidden", "2001:db8::/64")
    for index in 0..<2_500 {
      refused.address = "2001:db8::\(index)"
      await access.record(refused)
    }
    let log = AuditLog(fixture.store, now: fixture.now)
    #expect(try await log.entries(limit: 9).map(\.address) == ["2001:db8::0"])
    await access.close()
    await fixture.store.close()
  }

  @Test func `a counted refusal is written once, however many kinds there are`() async throws {
    let fixture = try await AccessFixture()
    let access = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await access.open(fixture.store)
    var refused = stop
    refused.outcome = "forbidden"
    // As many kinds as are counted at a time, the first of them twice.
    for index in 0..<1_000 {
      refused.client = "c\(index)"
      await access.record(refused)
    }
    refused.client = "c0"
    await access.record(refused)
    fixture.advance(60_000)
    // Its minute is over; its count is said with its next first.
    await access.record(refused)
    let log = AuditLog(fixture.store, now: fixture.now)
    let details = try await log.entries(limit: 5).map { String(decoding: $0.detail, as: UTF8.self) }
    #expect(details.filter { $0.contains("count") }.count == 1, "\(details)")
    await access.close()
    await fixture.store.close()
  }

  @Test func `the audit log is cut as the settings say, and only once they are known`() async throws
  {
    let fixture = try await AccessFixture()
    let access = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await access.open(fixture.store)
    for _ in 0..<3 { await access.record(stop) }
    fixture.advance(10 * 86_400_000)
    await access.runRetention()
    #expect(try await access.verifyAudit()["lines"] == 3)
    access.auditRetention = AuditRetention(age: 86_400_000)
    await access.runRetention()
    let report = try await access.verifyAudit()
    #expect(report["ok"] == true && report["lines"] == 1 && report["cut"] == 3)
    await fixture.store.close()
  }
}
