import AgentStore
import Synchronization
import Testing

@testable import AgentAccess

@Suite struct IdempotencyStoreTests {
  private let request = Array("add_process /api/v1/processes\n{}".utf8)

  private func word(_ admission: IdempotencyStore.Admission) -> String {
    switch admission {
    case .new: "new"
    case .answered(let row):
      "answered \(row.status ?? 0) \(String(decoding: row.body, as: UTF8.self))"
    case .notKept: "not kept"
    case .underWay: "under way"
    case .interrupted: "interrupted"
    case .different: "different"
    }
  }

  private func admit(
    _ keys: IdempotencyStore, who: String = "program:a", key: String = "k",
    bytes: [UInt8]? = nil
  ) async throws -> String {
    word(try await keys.admit(who, key: key, request: bytes ?? request))
  }

  @Test func `a repeated request gets the first answer again`() async throws {
    let fixture = try await AccessFixture()
    let keys = IdempotencyStore(fixture.store, now: fixture.now)
    #expect(try await admit(keys) == "new")
    #expect(try await admit(keys) == "under way")
    try await keys.finish(
      "program:a", key: "k", status: 201, contentType: "application/json", body: Array("{}".utf8))
    #expect(try await admit(keys) == "answered 201 {}")
    // After a restart too; but another request, or somebody else's key, is another matter.
    let again = IdempotencyStore(fixture.store, now: fixture.now)
    #expect(try await admit(again) == "answered 201 {}")
    #expect(try await admit(again, who: "program:a", key: "k", bytes: [1]) == "different")
    #expect(try await admit(again, who: "program:b") == "new")
    #expect(try await admit(again, who: "program:a", key: "l") == "new")
    await fixture.store.close()
  }

  @Test func `a refused request may be repeated, an interrupted one may not`() async throws {
    let fixture = try await AccessFixture()
    let keys = IdempotencyStore(fixture.store, now: fixture.now)
    #expect(try await admit(keys) == "new")
    try await keys.abandon("program:a", key: "k")
    #expect(try await admit(keys) == "new")
    // The host ends here, and nobody knows how far it got.
    let again = IdempotencyStore(fixture.store, now: fixture.now)
    #expect(try await admit(again) == "interrupted")
    await fixture.store.close()
  }

  @Test func `a request whose outcome is unknown isn't done again under its key`() async throws {
    let fixture = try await AccessFixture()
    let idempotencyKeys = IdempotencyStore(fixture.store, now: fixture.now)
    #expect(try await admit(idempotencyKeys) == "new")
    idempotencyKeys.interrupt("program:a", key: "k")
    #expect(try await admit(idempotencyKeys) == "interrupted")
    #expect(try await admit(idempotencyKeys, who: "program:a", key: "l") == "new")
    await fixture.store.close()
  }

  @Test func `answers are kept for a day`() async throws {
    let fixture = try await AccessFixture()
    let keys = IdempotencyStore(fixture.store, now: fixture.now)
    #expect(try await admit(keys) == "new")
    try await keys.finish("program:a", key: "k", status: 200, contentType: "", body: [])
    fixture.advance(IdempotencyStore.lifetime)
    #expect(try await admit(keys) == "answered 200 ")
    fixture.advance(1)
    #expect(try await admit(keys) == "new")
    await fixture.store.close()
  }

  @Test func `no answer is removed by its age while the clock isn't trusted`() async throws {
    let fixture = try await AccessFixture()
    let steady = Mutex(Duration.seconds(1000))
    let keys = IdempotencyStore(
      fixture.store, now: fixture.now, steady: { steady.withLock(\.self) })
    #expect(try await admit(keys) == "new")
    try await keys.finish("program:a", key: "k", status: 200, contentType: "", body: [])
    // Somebody sets the clock a week forward.
    fixture.advance(7 * IdempotencyStore.lifetime)
    #expect(try await admit(keys) == "answered 200 ")
    // An hour later it is still so late.
    fixture.advance(3_600_000)
    steady.withLock { $0 += .seconds(3600) }
    #expect(try await admit(keys) == "new")
    await fixture.store.close()
  }

  @Test func `a host that starts by a clock ten years ahead removes no answer`() async throws {
    let fixture = try await AccessFixture()
    let keys = IdempotencyStore(fixture.store, now: fixture.now)
    #expect(try await admit(keys) == "new")
    try await keys.finish("program:a", key: "k", status: 200, contentType: "", body: [])
    fixture.advance(10 * 365 * 86_400_000)
    let trusts = Mutex(false)
    let started = IdempotencyStore(
      fixture.store, now: fixture.now, steady: { .seconds(1) },
      isTrusted: { trusts.withLock(\.self) })
    #expect(try await admit(started) == "answered 200 ")
    trusts.withLock { $0 = true }
    #expect(try await admit(started) == "new")
    await fixture.store.close()
  }

  @Test func `an answer that is too large isn't kept or repeated`() async throws {
    let fixture = try await AccessFixture()
    let keys = IdempotencyStore(fixture.store, now: fixture.now)
    for (key, bytes) in [
      ("a", IdempotencyStore.maxReplyBytes), ("b", IdempotencyStore.maxReplyBytes + 1),
    ] {
      #expect(try await admit(keys, who: "program:a", key: key) == "new")
      try await keys.finish(
        "program:a", key: key, status: 200, contentType: "",
        body: [UInt8](repeating: 0x78, count: bytes))
    }
    #expect(try await admit(keys, who: "program:a", key: "a").hasPrefix("answered 200 xxx"))
    #expect(try await admit(keys, who: "program:a", key: "b") == "not kept")
    #expect(try await admit(keys, who: "program:a", key: "b", bytes: [1]) == "different")
    let bytes = try await fixture.store.read { try $0.idempotencyKeys.replyBytes() }
    #expect(bytes < Int64(IdempotencyStore.maxReplyBytes) + 1000)
    await fixture.store.close()
  }

  @Test func `the oldest answers are removed when all exceed the byte limit`() async throws {
    let fixture = try await AccessFixture()
    let keys = IdempotencyStore(fixture.store, now: fixture.now)
    #expect(try await admit(keys, who: "program:a", key: "interrupted") == "new")
    let body = [UInt8](repeating: 0x78, count: IdempotencyStore.maxReplyBytes)
    let fit = Int(IdempotencyStore.maxTotalBytes) / (IdempotencyStore.maxReplyBytes + 1000)
    for number in 0..<fit + 2 {
      fixture.advance(1)
      #expect(try await admit(keys, who: "program:a", key: "\(number)") == "new")
      try await keys.finish(
        "program:a", key: "\(number)", status: 200, contentType: "", body: body)
      let bytes = try await fixture.store.read { try $0.idempotencyKeys.replyBytes() }
      #expect(bytes <= IdempotencyStore.maxTotalBytes)
    }
    let again = IdempotencyStore(fixture.store, now: fixture.now)
    #expect(try await admit(again, who: "program:a", key: "interrupted") == "interrupted")
    #expect(try await admit(again, who: "program:a", key: "2").hasPrefix("answered"))
    #expect(try await admit(again, who: "program:a", key: "0") == "new")
    await fixture.store.close()
  }
}
