import AgentStore
import Synchronization
import Testing

@testable import AgentAccess

@Suite struct TokenRegistryTests {
  private func refusal(_ registry: TokenRegistry, _ text: String) -> AccessError? {
    do throws(AccessError) {
      _ = try registry.principal(with: text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a token is shown once, and the stored form opens nothing`() async throws {
    let fixture = try await AccessFixture()
    let registry = try await TokenRegistry(fixture.store, now: fixture.now)
    #expect(registry.isEmpty)
    let (row, text) = try await registry.create(
      .init(name: "exporter", scopes: [.operate], lifetime: 5000))
    #expect(!registry.isEmpty)
    #expect(text.hasPrefix("bulkhead_\(row.id)_"))
    let secret = String(text.dropFirst("bulkhead_\(row.id)_".count))
    #expect(secret.utf8.count >= 43)
    let kept = try #require(try await fixture.store.read { try $0.tokens.tokens() }.first)
    #expect(kept == row)
    #expect(!"\(kept)".contains(secret))
    #expect(kept.digest == Digest.of(Array(secret.utf8)))

    // Another book reads the same ones.
    let again = try await TokenRegistry(fixture.store, now: fixture.now)
    let principal = try again.principal(with: text)
    #expect(principal.label == "program:exporter")
    #expect(principal.token == row.id)
    #expect(principal.may(.read) && principal.may(.operate) && !principal.may(.administer))
    await fixture.store.close()
  }

  @Test func `two tokens of one name are two principals`() async throws {
    let fixture = try await AccessFixture()
    let registry = try await TokenRegistry(fixture.store, now: fixture.now)
    let (first, firstText) = try await registry.create(.init(name: "dup", scopes: [.administer]))
    let (_, secondText) = try await registry.create(.init(name: "dup", scopes: [.operate]))
    let (one, two) = (
      try registry.principal(with: firstText), try registry.principal(with: secondText)
    )
    #expect(one.label == two.label && one.key != two.key)
    #expect(one.key == "token:\(first.id)")
    #expect(Principal(kind: .local, name: "1000", scopes: []).key == "local:1000")
    await fixture.store.close()
  }

  @Test func `a malformed, expired or revoked token is refused with a message`() async throws {
    let fixture = try await AccessFixture()
    let registry = try await TokenRegistry(fixture.store, now: fixture.now)
    let (row, text) = try await registry.create(.init(name: "a", scopes: [.read], lifetime: 1000))
    let (other, otherText) = try await registry.create(.init(name: "b", scopes: [.read]))
    for wrong in [
      "", "x", "bulkhead_", "bulkhead_\(row.id)", text + "x", text.lowercased(),
      text.replacing(row.id, with: other.id),
    ] {
      #expect(refusal(registry, wrong)?.code == .unauthenticated, "\(wrong)")
    }
    #expect(refusal(registry, text) == nil)
    fixture.advance(1000)
    #expect(refusal(registry, text)?.message == "This token has expired.")
    #expect(try await registry.revoke(other.id))
    #expect(try await registry.revoke(other.id) == false)
    #expect(refusal(registry, otherText)?.message == "This token was revoked.")
    #expect(registry.isEmpty)
    await fixture.store.close()
  }

  @Test func `all tokens of one subject end together`() async throws {
    let fixture = try await AccessFixture()
    let registry = try await TokenRegistry(fixture.store, now: fixture.now)
    func token(_ subject: String) async throws -> String {
      try await registry.create(
        .init(name: "session", kind: .person, subject: subject, scopes: [.read])
      ).text
    }
    let (ada, bob) = (try await token("ada"), try await token("bob"))
    try await fixture.store.write { try registry.revoke(allOf: .person, "ada", in: $0) }
    #expect(refusal(registry, ada)?.code == .unauthenticated)
    #expect(refusal(registry, bob) == nil)
    await fixture.store.close()
  }

  @Test func `each observer of a token gets its end once`() async throws {
    let fixture = try await AccessFixture()
    let registry = try await TokenRegistry(fixture.store, now: fixture.now)
    let (row, _) = try await registry.create(.init(name: "a", scopes: [.read]))
    let (other, _) = try await registry.create(.init(name: "b", scopes: [.read]))
    let ended = Mutex<[String]>([])
    func observe(_ token: String, as name: String) -> TokenObservation {
      TokenObservation(of: token, in: registry) { ended.withLock { $0.append(name) } }
    }
    let kept = [observe(row.id, as: "first"), observe(other.id, as: "other")]
    _ = observe(row.id, as: "released")
    #expect(ended.withLock(\.self) == [])
    _ = try await registry.revoke(row.id)
    #expect(ended.withLock(\.self) == ["first"])
    // One that comes after the end gets it at once.
    let late = observe(row.id, as: "late")
    #expect(ended.withLock(\.self) == ["first", "late"])
    try await fixture.store.write { try registry.revoke(allOf: .program, "b", in: $0) }
    #expect(ended.withLock(\.self) == ["first", "late", "other"])
    withExtendedLifetime((kept, late)) {}
    await fixture.store.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func `an observer of a token gets its expiry`() async throws {
    let fixture = try await AccessFixture()
    let (pauses, paused) = AsyncStream.makeStream(of: Duration.self)
    let (rounds, round) = AsyncStream.makeStream(of: Void.self)
    let registry = try await TokenRegistry(fixture.store, now: fixture.now) { duration in
      paused.yield(duration)
      for await _ in rounds { return }
      throw CancellationError()
    }
    let (row, _) = try await registry.create(.init(name: "a", scopes: [.read], lifetime: 5000))
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let observation = TokenObservation(of: row.id, in: registry) { ended.yield() }
    #expect(await pauses.first { _ in true } == Duration.milliseconds(5000))
    fixture.advance(5000)
    round.yield()
    #expect(await ends.first { _ in true } != nil)
    withExtendedLifetime(observation) {}
    await fixture.store.close()
  }

  @Test func `a token's last use is known and stored to the minute`() async throws {
    let fixture = try await AccessFixture()
    let registry = try await TokenRegistry(fixture.store, now: fixture.now)
    let (_, text) = try await registry.create(.init(name: "a", scopes: [.read]))
    #expect(registry.all.map(\.used) == [nil])
    _ = try registry.principal(with: text)
    #expect(registry.all.map(\.used) == [960_000])
    try await registry.runRetention()
    #expect(try await fixture.store.read { try $0.tokens.tokens() }.map(\.used) == [960_000])
    await fixture.store.close()
  }

  @Test func `ended sessions are forgotten, and other ended tokens after a month`() async throws {
    let fixture = try await AccessFixture()
    let registry = try await TokenRegistry(fixture.store, now: fixture.now)
    for name in [TokenRegistry.session, "exporter"] {
      _ = try await registry.create(
        .init(name: name, kind: .person, subject: "ada", scopes: [.read], lifetime: 1000))
    }
    try await registry.runRetention()
    #expect(registry.all.count == 2)
    fixture.advance(1001)
    try await registry.runRetention()
    #expect(registry.all.map(\.name) == ["exporter"])
    fixture.advance(30 * 24 * 3_600_000)
    #expect(try await TokenRegistry(fixture.store, now: fixture.now).all == [])
    #expect(try await fixture.store.read { try $0.tokens.tokens() } == [])
    await fixture.store.close()
  }

  @Test(arguments: [3_600_000, -3_600_000, -300, 28_800_000, 315_360_000_000] as [Int64])
  func `a token opens by what the clock shows, and again once the clock is right`(
    _ jump: Int64
  ) async throws {
    let fixture = try await AccessFixture()
    let registry = try await TokenRegistry(fixture.store, now: fixture.now)
    let (row, text) = try await registry.create(
      .init(name: "exporter", scopes: [.read], lifetime: 7_200_000))
    fixture.advance(jump)
    if jump < 7_200_000 {
      #expect(try registry.principal(with: text).token == row.id)
    } else {
      #expect(refusal(registry, text)?.message == "This token has expired.")
    }
    fixture.advance(-jump)
    #expect(try registry.principal(with: text).token == row.id)
    await fixture.store.close()
  }

  @Test func `no token is removed while the clock isn't trusted, but expired ones open nothing`()
    async throws
  {
    let fixture = try await AccessFixture()
    let trusts = Mutex(true)
    let trustsClock: @Sendable () -> Bool = { trusts.withLock(\.self) }
    let registry = try await TokenRegistry(
      fixture.store, now: fixture.now, trustsClock: trustsClock)
    let (row, text) = try await registry.create(
      .init(name: "exporter", scopes: [.read], lifetime: 86_400_000))
    // Somebody sets the clock to ten years later.
    trusts.withLock { $0 = false }
    let years: Int64 = 10 * 365 * 86_400_000
    fixture.advance(years)
    try await registry.runRetention()
    #expect(refusal(registry, text)?.message == "This token has expired.")
    // A host starts by that clock.
    let started = try await TokenRegistry(
      fixture.store, now: fixture.now, trustsClock: trustsClock)
    try await started.runRetention()
    #expect(try await fixture.store.read { try $0.tokens.tokens() }.map(\.id) == [row.id])
    fixture.advance(-years)
    #expect(try started.principal(with: text).token == row.id)
    trusts.withLock { $0 = true }
    fixture.advance(years)
    try await started.runRetention()
    #expect(try await fixture.store.read { try $0.tokens.tokens() } == [])
    await fixture.store.close()
  }

  @Test(arguments: [
    (TokenOrder(name: "", scopes: [.read]), "A token's name"),
    (.init(name: "a\u{7}", scopes: [.read]), "A token's name"),
    (.init(name: "a", kind: .bot, subject: "b\u{7}", scopes: [.read]), "A token's bot"),
    (.init(name: "a", scopes: []), "read, execute, operate, administer"),
    (.init(name: "a", scopes: [Scope(rawValue: "write")]), "no scope \"write\""),
    (.init(name: "a", scopes: [.read], lifetime: 0), "must be more than 0"),
  ])
  func `a contradictory token request is refused`(
    order: TokenOrder, words: String
  ) async throws {
    let fixture = try await AccessFixture()
    let registry = try await TokenRegistry(fixture.store, now: fixture.now)
    let error = await #expect(throws: AccessError.self) { try await registry.create(order) }
    #expect(error?.message.contains(words) == true)
    await fixture.store.close()
  }
}
