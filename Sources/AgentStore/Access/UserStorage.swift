/// A user who can sign in.
public struct UserRow: Sendable, Hashable {
  /// The name, which is unique without regard to case.
  public let name: String
  public let role: String
  /// The hash in the format of the password hash function, which contains its parameters.
  public let passwordHash: String
  /// The time of creation in Unix milliseconds.
  public let created: Int64
  /// The time of the last change of role or password, in Unix milliseconds.
  public let updated: Int64

  /// Creates a row.
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
  /// Returns all users, sorted by name.
  func users() throws(StoreError) -> [UserRow]
}

/// Writes users.
public protocol UserStorage: UserReader {
  /// Adds a user.
  /// - Throws: `conflict` if the name exists.
  func insert(_ user: UserRow) throws(StoreError)
  /// Changes the role and the password.
  /// - Throws: `missing` if there is no such user.
  func update(_ user: UserRow) throws(StoreError)
  /// Removes a user.
  /// - Returns: false if there was no such user.
  @discardableResult
  func remove(_ name: String) throws(StoreError) -> Bool
}
