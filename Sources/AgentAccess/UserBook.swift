public import AgentStore
internal import Synchronization

/// The users: their roles, and whether a password is theirs.
public final class UserBook: Sendable {
  private let store: any Store
  private let now: @Sendable () -> Int64
  private let work = PasswordWork()
  private let users: Mutex<[String: UserRow]>
  private let throttle = Mutex(SignInThrottle())
  /// Compared with where there is no such user, so that this takes as long: a hash of no password
  /// that anybody knows.
  private let nobody = Digest.hashOfNothing()

  /// Reads what the store has.
  public init(_ store: any Store, now: @escaping @Sendable () -> Int64) async throws {
    self.store = store
    self.now = now
    let rows = try await store.read { try $0.users.users() }
    users = Mutex(Dictionary(rows.map { ($0.name.lowercased(), $0) }) { first, _ in first })
  }

  /// Whether there is none.
  public var isEmpty: Bool { users.withLock(\.isEmpty) }

  /// All, by name.
  public var all: [UserRow] {
    users.withLock { Array($0.values) }.sorted { $0.name.lowercased() < $1.name.lowercased() }
  }

  /// Adds a user.
  public func add(_ name: String, role: Role, password: String) async throws -> UserRow {
    try Self.check(name)
    try Self.check(password, of: name)
    return try await add(name, role: role, hash: try await work.hash(password))
  }

  /// Adds a user whose password was hashed elsewhere.
  /// - Parameter hash: as libsodium's `crypto_pwhash_str` writes it, `$argon2id$…`.
  public func add(_ name: String, role: Role, hash: String) async throws -> UserRow {
    try Self.check(name)
    guard hash.hasPrefix("$argon2id$"), hash.utf8.count < 128 else {
      throw AccessError(.invalid, "A password's hash begins with $argon2id$.")
    }
    let moment = now()
    let row = UserRow(
      name: name, role: role.rawValue, passwordHash: hash, created: moment, updated: moment)
    do {
      try await store.write { try $0.users.insert(row) }
    } catch let error as StoreError where error.code == .conflict {
      throw AccessError(.conflict, "There is a user \"\(name)\" already.")
    }
    users.withLock { $0[name.lowercased()] = row }
    return row
  }

  /// Changes role, password or both.
  public func change(
    _ name: String, role: Role? = nil, password: String? = nil
  ) async throws -> UserRow {
    let old = try user(name)
    if let password { try Self.check(password, of: name) }
    let hash = if let password { try await work.hash(password) } else { old.passwordHash }
    let row = UserRow(
      name: old.name, role: role?.rawValue ?? old.role, passwordHash: hash, created: old.created,
      updated: now())
    if old.role == Role.administrator.rawValue, row.role != old.role { try keepsAdministrator(old) }
    try await store.write { try $0.users.update(row) }
    users.withLock { $0[name.lowercased()] = row }
    return row
  }

  /// Removes a user.
  public func remove(_ name: String) async throws {
    let row = try user(name)
    try keepsAdministrator(row)
    _ = try await store.write { try $0.users.remove(row.name) }
    users.withLock { $0[name.lowercased()] = nil }
  }

  /// The role of who signs in with this name and password.
  /// - Parameter address: where they are, for whom too many attempts are counted.
  public func role(
    of name: String, password: String, from address: String
  ) async throws -> (name: String, role: Role) {
    let names = [name.lowercased(), "@\(address)"]
    if let wait = throttle.withLock({ $0.wait(for: names, now: now()) }) {
      throw AccessError(
        .busy, "Too many attempts have failed; try again in \((wait + 999) / 1000) seconds.")
    }
    let row = users.withLock { $0[name.lowercased()] }
    let isRight = try await work.isPassword(password, of: row?.passwordHash ?? nobody)
    guard let row, isRight, let role = Role(rawValue: row.role) else {
      throttle.withLock { $0.failed(names, now: now()) }
      throw AccessError(.unauthenticated, "The name or the password is wrong.")
    }
    throttle.withLock { $0.succeeded(name.lowercased()) }
    return (row.name, role)
  }

  private func user(_ name: String) throws(AccessError) -> UserRow {
    guard let row = users.withLock({ $0[name.lowercased()] }) else {
      throw AccessError(.missing, "There is no user \"\(name)\"; agent user list shows them.")
    }
    return row
  }

  private func keepsAdministrator(_ row: UserRow) throws(AccessError) {
    let administrator = Role.administrator.rawValue
    let others = users.withLock { users in
      users.values.filter { $0.role == administrator && $0.name != row.name }.count
    }
    guard row.role == administrator, others == 0 else { return }
    throw AccessError(
      .conflict, "\(row.name) is the last administrator. Make somebody else one first.")
  }

  private static func check(_ name: String) throws(AccessError) {
    let isRight =
      (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || [0x2D, 0x2E, 0x40, 0x5F].contains($0)
      }
    guard isRight else {
      throw AccessError(
        .invalid, "A user's name has 1 to 64 letters, digits, and any of . - _ @.")
    }
  }

  private static func check(_ password: String, of name: String) throws(AccessError) {
    guard (8...1024).contains(password.utf8.count) else {
      throw AccessError(.invalid, "A password has 8 to 1024 bytes.")
    }
    guard password.lowercased() != name.lowercased() else {
      throw AccessError(.invalid, "The password is the user's name; take another.")
    }
  }
}
