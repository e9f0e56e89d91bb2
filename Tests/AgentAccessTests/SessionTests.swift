import AgentJSON
import AgentStore
import Synchronization
import Testing

@testable import AgentAccess

/// People who sign in, and what ends it.
@Suite struct SessionTests {
  private func access(_ fixture: AccessFixture) async throws -> AccessControl {
    let access = AccessControl(now: fixture.now) { Issue.record("\($0)") }
    try await access.open(fixture.store)
    return access
  }

  private func code(_ access: AccessControl, _ token: String?) -> AccessError.Code? {
    do throws(AccessError) {
      _ = try access.principal(bearer: token ?? "")
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `a user has the role's permissions until the session ends`() async throws {
    let fixture = try await AccessFixture()
    let access = try await access(fixture)
    _ = try await access.addUser("Ada", role: "operator", password: "correct horse")
    access.sessionLifetime = 5000
    let answer = try await access.signIn("ada", password: "correct horse", from: "::1")
    #expect(answer["name"] == "Ada" && answer["role"] == "operator")
    #expect(answer["scopes"] == ["read", "execute", "operate"])
    #expect(answer["expires"] == 1_005_000)
    let token = try #require(answer["token"]?.string)
    let principal = try access.principal(bearer: token)
    #expect(principal.label == "person:Ada" && principal.may(.operate))
    #expect(try access.whoIs(principal)["kind"] == "person")
    fixture.advance(5000)
    #expect(code(access, token) == .unauthenticated)
    await fixture.store.close()
  }

  @Test func `a session ends with signing out, another role, another password or removal`()
    async throws
  {
    let fixture = try await AccessFixture()
    let access = try await access(fixture)
    let hash = try PasswordHash.of("correct horse")
    for name in ["ada", "bob"] {
      _ = try await access.addUser(name, role: "administrator", hash: hash)
    }
    let endings: [(AccessControl, String) async throws -> Void] = [
      { try await $0.signOut(try $0.principal(bearer: $1)) },
      { access, _ in _ = try await access.changeUser("ADA", role: "operator") },
      { access, _ in _ = try await access.changeUser("ada", password: "correct horse") },
      { access, _ in _ = try await access.removeUser("Ada") },
    ]
    let others = try await access.signIn("bob", password: "correct horse", from: "::1")["token"]
    for end in endings {
      let answer = try await access.signIn("ada", password: "correct horse", from: "::1")
      let token = try #require(answer["token"]?.string)
      #expect(code(access, token) == nil)
      try await end(access, token)
      #expect(code(access, token) == .unauthenticated)
    }
    #expect(code(access, others?.string) == nil)
    await fixture.store.close()
  }

  @Test func `the oldest session ends when the user has too many`() async throws {
    let fixture = try await AccessFixture()
    let access = try await access(fixture)
    let hash = try PasswordHash.of("correct horse")
    _ = try await access.addUser("ada", role: "viewer", hash: hash)
    let first = try await access.signIn("ada", password: "correct horse", from: "::1")["token"]
    // As many again as sign-ins make, without the work of as many passwords.
    for _ in 0..<64 {
      fixture.advance(1)
      _ = try await access.registries.tokens.create(
        .init(name: TokenRegistry.session, kind: .person, subject: "ada", scopes: [.read]))
    }
    let last = try await access.signIn("ada", password: "correct horse", from: "::1")["token"]
    #expect(code(access, first?.string) == .unauthenticated)
    #expect(code(access, last?.string) == nil)
    #expect(try access.tokens()["tokens"]?.array?.count == 64)
    await fixture.store.close()
  }

  @Test func `nobody makes a token with more permissions than their own, and a bot makes none`()
    async throws
  {
    let fixture = try await AccessFixture()
    let access = try await access(fixture)
    for example in [
      (kind: .local, name: "1000", scopes: [.administer], order: ["administer"], isMade: true),
      (kind: .program, name: "p", scopes: [.operate], order: ["read", "execute"], isMade: true),
      (kind: .program, name: "p", scopes: [.operate], order: ["administer"], isMade: false),
      (kind: .program, name: "p", scopes: [.execute], order: ["read"], isMade: false),
      (kind: .bot, name: "b", scopes: [.administer], order: ["read"], isMade: false),
    ] as [(kind: Principal.Kind, name: String, scopes: [Scope], order: [String], isMade: Bool)] {
      let maker = Principal(kind: example.kind, name: example.name, scopes: example.scopes)
      do throws(AccessError) {
        _ = try await access.createToken("t", scopes: example.order, by: maker)
        #expect(example.isMade, "\(maker.label): \(example.order)")
      } catch {
        #expect(
          !example.isMade && error.code == .forbidden, "\(maker.label): \(example.order): \(error)")
      }
    }
    await fixture.store.close()
  }

  @Test func `a bot's tokens end in the commit that ends the bot`() async throws {
    let fixture = try await AccessFixture()
    let access = try await access(fixture)
    let own = try await access.createToken("t", scopes: ["execute"], bot: "b1")
    let other = try await access.createToken("t", scopes: ["execute"], bot: "b2")
    let (text, otherText) = (own["token"]?.string ?? "", other["token"]?.string ?? "")
    struct Undone: Error {}
    await #expect(throws: Undone.self) {
      try await fixture.store.write { transaction in
        try access.revokeTokens(ofBot: "b1", in: transaction)
        throw Undone()
      }
    }
    #expect(try access.principal(bearer: text).name == "b1")
    try await fixture.store.write { try access.revokeTokens(ofBot: "b1", in: $0) }
    #expect(throws: AccessError.self) { try access.principal(bearer: text) }
    #expect(try access.principal(bearer: otherText).name == "b2")
    await fixture.store.close()
  }

  @Test func `a user's own token has no more permissions than the user`() async throws {
    let fixture = try await AccessFixture()
    let access = try await access(fixture)
    let hash = try PasswordHash.of("correct horse")
    _ = try await access.addUser("Ada", role: "viewer", hash: hash)
    let error = await #expect(throws: AccessError.self) {
      try await access.createToken("t", scopes: ["read", "operate"], user: "ada")
    }
    #expect(error?.message == "Ada is a viewer, who may not operate.")
    let token = try await access.createToken("t", scopes: ["read"], user: "ada")
    #expect(token["subject"] == "Ada" && token["kind"] == "person" && token["state"] == "active")
    for example in [
      (user: "eve", bot: nil, name: "t"), (user: "ada", bot: "b", name: "t"),
      (user: nil, bot: nil, name: "session"),
    ] {
      await #expect(throws: AccessError.self) {
        try await access.createToken(
          example.name, scopes: ["read"], user: example.user, bot: example.bot)
      }
    }
    await fixture.store.close()
  }

  @Test func `the first administrator is made once, with the secret`() async throws {
    let fixture = try await AccessFixture()
    let access = try await access(fixture)
    let ended = Mutex(0)
    let secret = AccessControl.newSetupSecret()
    #expect(try access.expectSetup(with: secret) { ended.withLock { $0 += 1 } })
    let wrong = await #expect(throws: AccessError.self) {
      try await access.setUp(with: "x", name: "ada", password: "correct horse")
    }
    #expect(wrong?.code == .unauthenticated)
    let weak = await #expect(throws: AccessError.self) {
      try await access.setUp(with: secret, name: "ada", password: "short")
    }
    #expect(weak?.code == .invalid)
    // Two at once: one is the first.
    let made = await withTaskGroup(of: Bool.self) { group in
      for name in ["ada", "bob"] {
        group.addTask {
          (try? await access.setUp(with: secret, name: name, password: "correct horse")) != nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(made == 1)
    #expect(ended.withLock(\.self) == 1)
    let late = await #expect(throws: AccessError.self) {
      try await access.setUp(with: secret, name: "eve", password: "correct horse")
    }
    #expect(late?.code == .conflict)
    #expect(try !access.expectSetup(with: secret) {})
    await fixture.store.close()
  }
}
