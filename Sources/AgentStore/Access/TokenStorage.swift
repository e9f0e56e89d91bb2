/// A bearer token as it is kept: not the secret, only what it is recognized by.
public struct TokenRow: Sendable, Hashable {
  /// The public half, which finds the row.
  public let id: String
  /// What it is for, in its owner's words.
  public let name: String
  /// Who it stands for: `person`, `program` or `bot`.
  public let kind: String
  /// The user, program or bot.
  public let subject: String
  /// What it allows, sorted.
  public let scopes: [String]
  /// The digest of the secret.
  public let digest: [UInt8]
  /// When it was made, in Unix milliseconds.
  public let created: Int64
  /// When it ends, in Unix milliseconds; nil for one that doesn't.
  public let expires: Int64?
  /// When it was revoked, in Unix milliseconds.
  public var revoked: Int64?
  /// When it was last used, in Unix milliseconds, to the minute.
  public var used: Int64?

  /// Makes a row.
  public init(
    id: String, name: String, kind: String, subject: String, scopes: [String], digest: [UInt8],
    created: Int64, expires: Int64?, revoked: Int64? = nil, used: Int64? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.subject = subject
    self.scopes = scopes
    self.digest = digest
    self.created = created
    self.expires = expires
    self.revoked = revoked
    self.used = used
  }
}

/// Reads tokens.
public protocol TokenReading: AnyObject {
  /// All of them, the oldest first; revoked and expired ones too, until they are removed.
  func tokens() throws(StoreError) -> [TokenRow]
}

/// Tokens.
public protocol TokenStorage: TokenReading {
  /// Adds one. Fails with `conflict` when there is one of this id.
  func insert(_ token: TokenRow) throws(StoreError)
  /// Revokes one that isn't revoked.
  /// - Returns: whether there was one.
  @discardableResult
  func revoke(_ id: String, now: Int64) throws(StoreError) -> Bool
  /// Writes down when tokens were last used.
  func used(_ times: [String: Int64]) throws(StoreError)
  /// Removes those with these ids.
  func remove(_ ids: [String]) throws(StoreError)
}
