public import AgentStore
internal import AgentSystem
internal import AgentText
internal import Synchronization

/// The registry of users: their roles and their passwords.
///
/// A change is checked against the other users in its own transaction. The same transaction ends
/// the tokens of a user who is changed or removed.
public final class UserRegistry: Sendable {
  private let store: any Store
  private let tokens: TokenRegistry
  private let now: @Sendable () -> Int64
  /// The clock of the waits after failures, in milliseconds.
  private let ticks: @Sendable () -> Int64
  private let work = PasswordWork()
  private let users: Mutex<[String: UserRow]>
  private let throttle = Mutex(SignInThrottle())
  private let reconciler: Reconciler
  /// The hash that is compared if there is no such user, so that a failure takes equally long. No
  /// known password has it.
  private let nobody = Digest.hashOfNothing()

  /// Reads the users of the store.
  /// - Parameters:
  ///   - steady: a clock that nobody sets, for the waits after failures: five failures by a clock
  ///     that is ten years ahead must not lock a user out for ten years. Nil means `now`.
  ///   - pause: waits for a duration, until the database is read again.
  public init(
    _ store: any Store, tokens: TokenRegistry, now: @escaping @Sendable () -> Int64,
    steady: (@Sendable () -> Duration)? = nil,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) async throws {
    self.store = store
    self.tokens = tokens
    self.now = now
    if let steady { ticks = { steady().wholeMilliseconds } } else { ticks = now }
    reconciler = Reconciler(store, now: now, pause: pause)
    users = Mutex(Self.byName(try await store.read { try $0.users.users() }))
    reconciler.start { [weak self] transaction in
      let rows = try transaction.users.users()
      return { [weak self] in self?.reconcile(with: rows) }
    }
  }

  private static func byName(_ rows: [UserRow]) -> [String: UserRow] {
    Dictionary(rows.map { ($0.name.lowercased(), $0) }) { first, _ in first }
  }

  /// Whether there are no users.
  public var isEmpty: Bool { users.withLock(\.isEmpty) }

  /// All users, sorted by name.
  public var all: [UserRow] {
    users.withLock { Array($0.values) }.sorted { $0.name.lowercased() < $1.name.lowercased() }
  }

  /// Returns whether a user of this name exists. Case doesn't matter.
  public func contains(_ name: String) -> Bool {
    users.withLock { $0[name.lowercased()] != nil }
  }

  /// Returns the user of this name. Case doesn't matter.
  public func user(_ name: String) throws(AccessError) -> UserRow {
    guard let row = users.withLock({ $0[name.lowercased()] }) else {
      throw AccessError(.missing, "There is no user \"\(name)\"; agent user list shows them.")
    }
    return row
  }

  // MARK: Changing

  /// Adds a user.
  /// - Parameter isFirst: whether the user is added only if there is no other.
  public func add(
    _ name: String, role: Role, password: String, isFirst: Bool = false
  ) async throws -> UserRow {
    try Self.check(name, password: password)
    return try await add(name, role: role, hash: try await work.hash(password), isFirst: isFirst)
  }

  /// Adds a user with a hash that another program has made.
  /// - Parameter hash: A hash in the form of libsodium's `crypto_pwhash_str`, `$argon2id$…`.
  public func add(_ name: String, role: Role, hash: String) async throws -> UserRow {
    try Self.check(name)
    guard PasswordHash.isOne(hash) else {
      throw AccessError(
        .invalid, "This isn't a password's hash; agent user hash creates one, $argon2id$…")
    }
    return try await add(name, role: role, hash: hash, isFirst: false)
  }

  private func add(
    _ name: String, role: Role, hash: String, isFirst: Bool
  ) async throws -> UserRow {
    let moment = now()
    let row = UserRow(
      name: name, role: role.rawValue, passwordHash: hash, created: moment, updated: moment)
    try await write { transaction in
      let others = try transaction.users.users()
      if isFirst, !others.isEmpty {
        throw AccessError(.conflict, "There is a user already, so this can't be the first one.")
      }
      if others.contains(where: { $0.name.lowercased() == name.lowercased() }) {
        throw AccessError(.conflict, "There is a user \"\(name)\" already.")
      }
      try transaction.users.insert(row)
      self.remember(row, under: name, after: transaction)
    }
    return row
  }

  /// Changes the role, the password, or both. All tokens of the user end.
  public func change(
    _ name: String, role: Role? = nil, password: String? = nil
  ) async throws -> UserRow {
    try await settle()
    let known = try user(name)
    if let password { try Self.check(password, of: known.name) }
    let hash = if let password { try await work.hash(password) } else { nil as String? }
    let moment = now()
    return try await write { transaction in
      let old = try self.user(known.name, in: transaction)
      let row = UserRow(
        name: old.name, role: role?.rawValue ?? old.role, passwordHash: hash ?? old.passwordHash,
        created: old.created, updated: moment)
      if row.role != old.role { try self.keepsAdministrator(old, in: transaction) }
      try transaction.users.update(row)
      try self.tokens.revoke(allOf: .person, old.name, in: transaction)
      self.remember(row, under: old.name, after: transaction)
      return row
    }
  }

  /// Removes a user. All tokens of the user end.
  public func remove(_ name: String) async throws {
    try await settle()
    let known = try user(name)
    try await write { transaction in
      let row = try self.user(known.name, in: transaction)
      try self.keepsAdministrator(row, in: transaction)
      _ = try transaction.users.remove(row.name)
      try self.tokens.revoke(allOf: .person, row.name, in: transaction)
      self.remember(nil, under: row.name, after: transaction)
    }
  }

  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value {
    do {
      return try await store.write(.savepoint, body)
    } catch {
      if (error as? StoreError)?.isDoubtful == true { tokens.refuseSuspected() }
      reconciler.doubt(after: error)
      throw error
    }
  }

  /// Makes the users in memory those of the database, if a change of a user failed and may be stored
  /// nevertheless.
  /// - Throws: `StoreError` if the database doesn't answer.
  func settle() async throws { try await reconciler.settle() }

  /// Replaces the users in memory by the stored ones.
  private func reconcile(with rows: [UserRow]) {
    let stored = Self.byName(rows)
    let former = users.withLock { users in
      defer { users = stored }
      return users
    }
    let changed = Set(former.keys).union(stored.keys).filter { former[$0] != stored[$0] }
    throttle.withLock { throttle in for name in changed { throttle.forget(name) } }
  }

  private func remember(
    _ row: UserRow?, under name: String, after transaction: any StoreTransaction
  ) {
    transaction.afterCommit { [self] in
      users.withLock { $0[name.lowercased()] = row }
      throttle.withLock { $0.forget(name.lowercased()) }
    }
  }

  /// Returns the user from the database.
  func user(_ name: String, in transaction: any StoreTransaction) throws -> UserRow {
    guard let row = try transaction.users.users().first(where: { $0.name == name }) else {
      throw AccessError(.missing, "There is no user \"\(name)\" any more.")
    }
    return row
  }

  private func keepsAdministrator(_ row: UserRow, in transaction: any StoreTransaction) throws {
    let administrator = Role.administrator.rawValue
    guard row.role == administrator else { return }
    let users = try transaction.users.users()
    guard !users.contains(where: { $0.role == administrator && $0.name != row.name }) else {
      return
    }
    throw AccessError(
      .conflict, "\(row.name) is the last administrator. Make another user an administrator first.")
  }

  // MARK: Signing in

  /// Returns the user with this name and password.
  /// - Parameter network: the client's network, which ``SignInThrottle`` counts attempts by.
  func user(
    _ name: String, password: String, from network: String
  ) async throws(AccessError) -> UserRow {
    do {
      // While a change of a user is in doubt, nobody signs in: a former password or role must not
      // count any more. A session needs the database anyway.
      try await settle()
    } catch {
      throw AccessError(.notReady, "\(error)")
    }
    // A text that can't be a name is no user's name, even if its lower case is one: U+212A, the
    // kelvin sign, becomes a k. It isn't counted either, because it may be as long as a request.
    let key = Self.isName(name) ? name.lowercased() : nil
    let attempt = SignInThrottle.Attempt(name: key, network: network)
    let ticket: SignInThrottle.Ticket
    switch throttle.withLock({ $0.begin(attempt, now: ticks()) }) {
    case .mayTry(let given): ticket = given
    case .wait(let wait):
      throw AccessError(
        .busy, "Too many attempts have failed; try again in \(wait.adding(999) / 1000) seconds.")
    }
    let row = key.flatMap { key in users.withLock { $0[key] } }
    // The comparison runs even for an unknown name, so that the time doesn't show which names
    // exist.
    let isRight: Bool
    do {
      isRight = try await work.isPassword(password, of: row?.passwordHash ?? nobody)
    } catch {
      throttle.withLock { $0.withdrew(ticket) }
      throw error
    }
    guard let row, isRight else {
      throw AccessError(.unauthenticated, "The name or the password is wrong.")
    }
    throttle.withLock { $0.succeeded(ticket, now: ticks()) }
    return row
  }

  // MARK: Checks

  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        $0.isASCIIAlphanumeric || [0x2D, 0x2E, 0x40, 0x5F].contains($0)
      }
  }

  private static func check(_ name: String) throws(AccessError) {
    guard isName(name) else {
      throw AccessError(
        .invalid, "A user's name has 1 to 64 letters, digits, and any of . - _ @.")
    }
  }

  static func check(_ name: String, password: String) throws(AccessError) {
    try check(name)
    try check(password, of: name)
  }

  private static func check(_ password: String, of name: String) throws(AccessError) {
    try PasswordHash.check(password)
    guard password.lowercased() != name.lowercased() else {
      throw AccessError(.invalid, "The password is the user's name. Choose another.")
    }
  }
}
