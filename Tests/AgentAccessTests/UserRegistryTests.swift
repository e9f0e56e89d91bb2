import AgentJSON
import AgentStore
import Synchronization
import Testing

@testable import AgentAccess

@Suite struct UserRegistryTests {
  @Test func `a user signs in with the given role, and only a hash is stored`() async throws {
    let fixture = try await AccessFixture()
    let registry = try await UserRegistry(fixture)
    let row = try await registry.add("Ada", role: .operator, password: "correct horse")
    #expect(row.passwordHash.hasPrefix("$argon2id$v=19$m=65536,"))
    let again = try await UserRegistry(fixture)
    let found = try await again.user("ada", password: "correct horse", from: "::1")
    #expect(found.name == "Ada")
    #expect(found.role == "operator")
    for (name, password) in [("ada", "Correct horse"), ("eve", "correct horse"), ("ada", "")] {
      let error = await #expect(throws: AccessError.self) {
        try await again.user(name, password: password, from: "::1")
      }
      #expect(error?.message == "The name or the password is wrong.")
    }
    await fixture.store.close()
  }

  @Test func `a user who fails often has to wait and is let in again later`() async throws {
    let fixture = try await AccessFixture()
    let registry = try await UserRegistry(fixture)
    _ = try await registry.add("ada", role: .viewer, password: "correct horse")
    for _ in 0..<SignInThrottle.free {
      await #expect(throws: AccessError.self) {
        try await registry.user("ada", password: "wrong", from: "10.0.0.1")
      }
    }
    let error = await #expect(throws: AccessError.self) {
      try await registry.user("ada", password: "correct horse", from: "10.0.0.2")
    }
    #expect(error?.message == "Too many attempts have failed; try again in 1 seconds.")
    fixture.advance(1000)
    #expect(
      try await registry.user("ada", password: "correct horse", from: "10.0.0.2").role == "viewer")
    await fixture.store.close()
  }

  @Test func `failures by a clock that was ten years ahead lock nobody out`() async throws {
    let fixture = try await AccessFixture()
    let steady = Mutex(Duration.seconds(1000))
    let access = AccessControl(
      now: fixture.now, steady: { steady.withLock(\.self) }
    ) { Issue.record("\($0)") }
    try await access.open(fixture.store)
    _ = try await access.registries.users.add("ada", role: .viewer, password: "correct horse")
    let years: Int64 = 10 * 365 * 86_400_000
    fixture.advance(years)
    for _ in 0..<SignInThrottle.free {
      await #expect(throws: AccessError.self) {
        try await access.signIn("ada", password: "wrong", from: "10.0.0.1")
      }
    }
    fixture.advance(-years)
    steady.withLock { $0 += .seconds(1) }
    let answer = try await access.signIn("ada", password: "correct horse", from: "10.0.0.1")
    #expect(answer["token"]?.string != nil)
    await fixture.store.close()
  }

  @Test func `the last administrator can't be removed`() async throws {
    let fixture = try await AccessFixture()
    let registry = try await UserRegistry(fixture)
    let hash = try await registry.add("ada", role: .administrator, password: "12345678")
      .passwordHash
    for attempt in [0, 1] {
      let error = await #expect(throws: AccessError.self) {
        if attempt == 0 {
          try await registry.remove("ada")
        } else {
          _ = try await registry.change("ada", role: .viewer)
        }
      }
      #expect(error?.code == .conflict)
    }
    _ = try await registry.add("bob", role: .administrator, hash: hash)
    try await registry.remove("ADA")
    #expect(registry.all.map(\.name) == ["bob"])
    #expect(try await registry.user("bob", password: "12345678", from: "x").role == "administrator")
    _ = try await registry.change("bob", password: "87654321")
    #expect(try await registry.user("bob", password: "87654321", from: "x").role == "administrator")
    await fixture.store.close()
  }

  @Test(arguments: [
    ("", "12345678"), ("a b", "12345678"), ("ä", "12345678"), ("ada", "1234567"),
    ("long.password", "Long.Password"),
  ])
  func `invalid names and passwords are refused`(
    name: String, password: String
  ) async throws {
    let fixture = try await AccessFixture()
    let registry = try await UserRegistry(fixture)
    let error = await #expect(throws: AccessError.self) {
      try await registry.add(name, role: .viewer, password: password)
    }
    #expect(error?.code == .invalid)
    await fixture.store.close()
  }

  @Test func `an unknown user costs as much to check as a known one`() async throws {
    let real = try PasswordHash.of("correct horse")
    let nothing = Digest.hashOfNothing()
    #expect(PasswordHash.isOne(real) && PasswordHash.isOne(nothing))
    #expect(nothing.count == real.count)
    #expect(nothing.split(separator: "$")[..<3] == real.split(separator: "$")[..<3])
    #expect(nothing != Digest.hashOfNothing())
  }

  @Test(arguments: [
    "", "correct horse", "$argon2id$", "$argon2i$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAA$B",
    "$argon2id$v=19$m=65536,t=2,p=1$c2FsdHNhbHRzYWx0$", "$argon2id$v=19$m=,t=2,p=1$a$b",
    "$argon2id$v=19$m=99999999,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$c2FsdHNhbHRzYWx0c2FsdHNhbHQ",
  ])
  func `a text that isn't a supported hash is refused`(text: String) async throws {
    #expect(!PasswordHash.isOne(text))
    let fixture = try await AccessFixture()
    let registry = try await UserRegistry(fixture)
    let error = await #expect(throws: AccessError.self) {
      try await registry.add("ada", role: .viewer, hash: text)
    }
    #expect(error?.message.contains("agent user hash") == true)
    await fixture.store.close()
  }

  @Test func `waits grow with each failure, up to a quarter of an hour`() {
    var throttle = SignInThrottle()
    let ada = SignInThrottle.Attempt(name: "ada", network: "10.0.0.1")
    var waits: [Int64] = []
    var now: Int64 = 0
    for _ in 0..<20 {
      while case .wait(let pause) = throttle.begin(ada, now: now) {
        waits.append(pause)
        now += pause
      }
    }
    #expect(waits.prefix(4) == [1000, 2000, 4000, 8000])
    #expect(waits.last == 900_000)
    #expect(wait(&throttle, name: "ada", network: "10.0.0.2", now: now) == 900_000)
    #expect(wait(&throttle, name: "bob", network: "10.0.0.1", now: now) == 900_000)
    #expect(wait(&throttle, name: "bob", network: "10.0.0.2", now: now) == nil)
    #expect(wait(&throttle, name: "ada", network: "10.0.0.3", now: now + 900_000) == nil)
  }

  @Test func `simultaneous attempts are counted before any password is compared`() {
    var throttle = SignInThrottle()
    let waits = (0..<64).map { _ in wait(&throttle, name: "ada", network: "10.0.0.1", now: 0) }
    #expect(waits.count { $0 == nil } == SignInThrottle.free)
  }

  @Test func `a user known from a network isn't delayed by the failures of others`() throws {
    var throttle = SignInThrottle()
    try signIn(&throttle, name: "ada", network: "10.0.0.1", now: 0)
    // Somebody guesses at the name, and somebody behind the same proxy at others.
    for index in 0..<40 {
      _ = throttle.begin(.init(name: "ada", network: "10.9.9.\(index)"), now: 1)
      _ = throttle.begin(.init(name: "user\(index)", network: "10.0.0.1"), now: 1)
    }
    #expect(wait(&throttle, name: "ada", network: "10.0.0.2", now: 1) != nil)
    #expect(wait(&throttle, name: "eve", network: "10.0.0.1", now: 1) != nil)
    #expect(wait(&throttle, name: "ada", network: "10.0.0.1", now: 1) == nil)
    // Their own failures count.
    for _ in 0..<SignInThrottle.free { _ = throttle.begin(ada, now: 1) }
    #expect(wait(&throttle, name: "ada", network: "10.0.0.1", now: 1) != nil)
    throttle.forget("ada")
    #expect(wait(&throttle, name: "ada", network: "10.0.0.1", now: 1) != nil)
  }

  @Test func `a success isn't a failure and forgives no other failure`() throws {
    var throttle = SignInThrottle()
    for _ in 0..<20 { try signIn(&throttle, name: "ada", network: "10.0.0.1", now: 0) }
    for name in ["a", "b", "c", "d", "e"] {
      #expect(wait(&throttle, name: name, network: "10.0.0.1", now: 0) == nil)
      try signIn(&throttle, name: "ada", network: "10.0.0.1", now: 0)
    }
    #expect(wait(&throttle, name: "f", network: "10.0.0.1", now: 0) == 1000)
  }

  @Test func `a name with the kelvin sign matches nobody`() async throws {
    let fixture = try await AccessFixture()
    let registry = try await UserRegistry(fixture)
    _ = try await registry.add("frank", role: .viewer, password: "correct horse")
    let error = await #expect(throws: AccessError.self) {
      try await registry.user("fran\u{212A}", password: "correct horse", from: "10.0.0.1")
    }
    #expect(error?.code == .unauthenticated)
    await fixture.store.close()
  }

  private let ada = SignInThrottle.Attempt(name: "ada", network: "10.0.0.1")

  private func wait(
    _ throttle: inout SignInThrottle, name: String, network: String, now: Int64
  ) -> Int64? {
    if case .wait(let pause) = throttle.begin(.init(name: name, network: network), now: now) {
      return pause
    }
    return nil
  }

  private func signIn(
    _ throttle: inout SignInThrottle, name: String, network: String, now: Int64
  ) throws {
    guard case .mayTry(let ticket) = throttle.begin(.init(name: name, network: network), now: now)
    else { throw AccessError(.busy, "\(name) waits") }
    throttle.succeeded(ticket, now: now)
  }
}

extension UserRegistry {
  convenience init(_ fixture: AccessFixture) async throws {
    try await self.init(
      fixture.store, tokens: try await TokenRegistry(fixture.store, now: fixture.now),
      now: fixture.now)
  }
}
