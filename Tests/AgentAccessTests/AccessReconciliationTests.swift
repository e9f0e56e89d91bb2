import AgentJSON
import AgentStore
import Synchronization
import Testing

@testable import AgentAccess

/// A revocation or a change of a user whose write reports an error may be stored nevertheless. The
/// tokens that it ends are refused at once, and memory follows what is stored.
@Suite(.timeLimit(.minutes(5))) struct AccessReconciliationTests {
  private struct Rejected: Error {}

  private func refusal(_ registry: TokenRegistry, _ text: String) -> AccessError? {
    do throws(AccessError) {
      _ = try registry.principal(with: text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a token that was revoked by a write that failed is refused at once and from then on`()
    async throws
  {
    let fixture = try await AccessFixture()
    let store = DoubtfulStore(fixture.store)
    let access = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await access.open(store)
    let made = try await access.createToken("exporter", scopes: ["read"])
    let (id, text) = (try #require(made["id"]?.string), try #require(made["token"]?.string))
    let principal = try access.principal(bearer: text)
    let ends = Mutex(0)
    let observation = try access.observeToken(of: principal) { ends.withLock { $0 += 1 } }
    store.become(.storesAndFails)
    let failure = await #expect(throws: AccessError.self) { try await access.revokeToken(id) }
    #expect(failure?.code == .notReady)
    #expect(throws: AccessError.self) { try access.principal(bearer: text) }
    #expect(ends.withLock(\.self) == 1)
    store.become(.works)
    // It is revoked already.
    let missing = await #expect(throws: AccessError.self) { try await access.revokeToken(id) }
    #expect(missing?.code == .missing)
    let refused = #expect(throws: AccessError.self) { try access.principal(bearer: text) }
    #expect(refused?.message == "This token was revoked.")
    #expect(ends.withLock(\.self) == 1)
    withExtendedLifetime(observation) {}
    await access.close()
    await fixture.store.close()
  }

  @Test(arguments: [DoubtfulStore.Behavior.storesAndFails, .refuses])
  func `a token in doubt is refused until the database answers, and then what is stored counts`(
    behavior: DoubtfulStore.Behavior
  ) async throws {
    let fixture = try await AccessFixture()
    let store = DoubtfulStore(fixture.store)
    let (pauses, paused) = AsyncStream.makeStream(of: Duration.self)
    let (rounds, round) = AsyncStream.makeStream(of: Void.self)
    let registry = try await TokenRegistry(store, now: fixture.now) { duration in
      paused.yield(duration)
      for await _ in rounds { return }
      throw CancellationError()
    }
    let (row, text) = try await registry.create(.init(name: "a", scopes: [.read]))
    store.become(behavior)
    await #expect(throws: StoreError.self) { try await registry.revoke(row.id) }
    #expect(refusal(registry, text)?.code == .notReady)
    // The first try comes at once and fails.
    #expect(await pauses.first { _ in true } == .seconds(1))
    #expect(refusal(registry, text)?.code == .notReady)
    store.become(.works)
    round.yield()
    // The creation, and the first try that succeeds.
    var stored = 0
    for await isStored in store.outcomes where isStored {
      stored += 1
      if stored == 2 { break }
    }
    let isStored = behavior == .storesAndFails
    #expect(refusal(registry, text)?.message == (isStored ? "This token was revoked." : nil))
    #expect(registry.isEmpty == isStored)
    await fixture.store.close()
  }

  @Test func `a token is valid after a transaction that would have revoked it and was rejected`()
    async throws
  {
    let fixture = try await AccessFixture()
    let registry = try await TokenRegistry(fixture.store, now: fixture.now)
    let (_, text) = try await registry.create(
      .init(name: "b", kind: .bot, subject: "b", scopes: [.execute]))
    await #expect(throws: Rejected.self) {
      try await fixture.store.write { transaction in
        try registry.revoke(allOf: .bot, "b", in: transaction)
        throw Rejected()
      }
    }
    #expect(refusal(registry, text) == nil)
    try await registry.reconciler.settle()
    #expect(refusal(registry, text) == nil)
    await fixture.store.close()
  }

  @Test func `a token that another part's transaction revokes is refused after its failure`()
    async throws
  {
    let fixture = try await AccessFixture()
    let store = DoubtfulStore(fixture.store)
    // Nothing but the calls below reads the database again.
    let registry = try await TokenRegistry(
      store, now: fixture.now, pause: { _ in try await Task.sleep(for: .seconds(3600)) })
    let (row, text) = try await registry.create(
      .init(name: "b", kind: .bot, subject: "b", scopes: [.execute]))
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let observation = TokenObservation(of: row.id, in: registry) { ended.yield() }
    store.become(.storesAndFails)
    await #expect(throws: StoreError.self) {
      try await store.write { try registry.revoke(allOf: .bot, "b", in: $0) }
    }
    #expect(await ends.first { _ in true } != nil)
    #expect(refusal(registry, text)?.code == .notReady)
    store.become(.works)
    // The same again, whose transaction finds nothing to revoke.
    try await store.write { try registry.revoke(allOf: .bot, "b", in: $0) }
    #expect(refusal(registry, text)?.message == "This token was revoked.")
    withExtendedLifetime(observation) {}
    await fixture.store.close()
  }

  /// An agent with an administrator and a user who is signed in.
  private func signedIn(
    _ store: DoubtfulStore, _ fixture: AccessFixture
  ) async throws -> (access: AccessControl, token: String) {
    let access = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await access.open(store)
    _ = try await access.addUser("root", role: "administrator", password: "battery staple")
    _ = try await access.addUser("ada", role: "operator", password: "correct horse")
    let answer = try await access.signIn("ada", password: "correct horse", from: "::1")
    return (access, try #require(answer["token"]?.string))
  }

  private func signIn(
    _ access: AccessControl, _ password: String
  ) async -> AccessError.Code? {
    do throws(AccessError) {
      _ = try await access.signIn("ada", password: password, from: "::1")
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `a user who was removed by a write that failed is refused at once and from then on`()
    async throws
  {
    let fixture = try await AccessFixture()
    let store = DoubtfulStore(fixture.store)
    let (access, token) = try await signedIn(store, fixture)
    #expect(try access.principal(bearer: token).name == "ada")
    store.become(.storesAndFails)
    await #expect(throws: AccessError.self) { try await access.removeUser("ada") }
    #expect(throws: AccessError.self) { try access.principal(bearer: token) }
    #expect(await signIn(access, "correct horse") == .notReady)
    store.become(.works)
    let missing = await #expect(throws: AccessError.self) { try await access.removeUser("ada") }
    #expect(missing?.code == .missing)
    #expect(throws: AccessError.self) { try access.principal(bearer: token) }
    #expect(await signIn(access, "correct horse") == .unauthenticated)
    #expect(try access.users()["users"]?.array?.count == 1)
    await access.close()
    await fixture.store.close()
  }

  @Test func `a password that was changed by a write that failed is the only one that counts`()
    async throws
  {
    let fixture = try await AccessFixture()
    let store = DoubtfulStore(fixture.store)
    let (access, token) = try await signedIn(store, fixture)
    store.become(.storesAndFails)
    await #expect(throws: AccessError.self) {
      try await access.changeUser("ada", role: "viewer", password: "horse correct")
    }
    #expect(throws: AccessError.self) { try access.principal(bearer: token) }
    #expect(await signIn(access, "correct horse") == .notReady)
    store.become(.works)
    #expect(await signIn(access, "correct horse") == .unauthenticated)
    #expect(await signIn(access, "horse correct") == nil)
    #expect(throws: AccessError.self) { try access.principal(bearer: token) }
    let role = try access.users()["users"]?.array?.first?["role"]?.string
    #expect(role == "viewer")
    await access.close()
    await fixture.store.close()
  }

  @Test func `a user who was added by a write that failed signs in once the database answers`()
    async throws
  {
    let fixture = try await AccessFixture()
    let store = DoubtfulStore(fixture.store)
    let access = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await access.open(store)
    let users = [
      GivenUser("ada", role: "viewer", hash: try PasswordHash.of("correct horse"))
    ]
    store.become(.storesAndFails)
    #expect(await access.takeOver(users).obstacle?.code == .fault)
    store.become(.works)
    let second = await access.takeOver(users)
    #expect(second.obstacle == nil && second.refusals == [])
    #expect(await signIn(access, "correct horse") == nil)
    await access.close()
    await fixture.store.close()
  }
}
