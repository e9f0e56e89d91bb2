/// A person who signs in.
public struct UserRow: Sendable, Hashable {
  /// Unique without regard to case.
  public let name: String
  public let role: String
  /// In the form of the function that made it, which names its parameters.
  public let passwordHash: String
  /// When the user was added, in Unix milliseconds.
  public let created: Int64
  /// When role or password last changed, in Unix milliseconds.
  public let updated: Int64

  /// Makes a row.
  public init(name: String, role: String, passwordHash: String, created: Int64, updated: Int64) {
    self.name = name
    self.role = role
    self.passwordHash = passwordHash
    self.created = created
    self.updated = updated
  }
}

/// Reads users.
public protocol UserReader: AnyObject {
  /// All users, sorted by name.
  func users() throws(StoreError) -> [UserRow]
}

/// Writes users.
public protocol UserStorage: UserReader {
  /// Adds a user. Fails with `conflict` when there is one of this name.
  func insert(_ user: UserRow) throws(StoreError)
  /// Changes role and password. Fails with `missing` when there is no such user.
  func update(_ user: UserRow) throws(StoreError)
  /// Removes a user.
  /// - Returns: whether there was one.
  @discardableResult
  func remove(_ name: String) throws(StoreError) -> Bool
}
