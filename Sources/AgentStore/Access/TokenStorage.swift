/// A stored bearer token. It contains the digest of the secret and not the secret.
public struct TokenRow: Sendable, Hashable {
  /// The public part of the token, by which the row is found.
  public let id: String
  /// The purpose, as its owner described it.
  public let name: String
  /// `person`, `program` or `bot`.
  public let kind: String
  /// The user, program or bot that the token represents.
  public let subject: String
  /// The allowed scopes, sorted.
  public let scopes: [String]
  public let digest: [UInt8]
  /// The time of creation in Unix milliseconds.
  public let created: Int64
  /// The time of expiry in Unix milliseconds; `nil` for a token that doesn't expire.
  public let expires: Int64?
  /// The time of revocation in Unix milliseconds.
  public var revoked: Int64?
  /// The time of the last use in Unix milliseconds. It is stored at most once a minute.
  public var used: Int64?

  /// Creates a row.
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
public protocol TokenReader: AnyObject {
  /// Returns all tokens, the oldest first. Revoked and expired ones are included until they are
  /// removed.
  func tokens() throws(StoreError) -> [TokenRow]
}

/// Writes tokens.
public protocol TokenStorage: TokenReader {
  /// Adds a token.
  /// - Throws: `conflict` if the id exists.
  func insert(_ token: TokenRow) throws(StoreError)
  /// Revokes a token. `now` is in Unix milliseconds.
  /// - Returns: false if there is no such token or it was revoked before.
  @discardableResult
  func revoke(_ id: String, now: Int64) throws(StoreError) -> Bool
  /// Stores when tokens were last used. `times` contains Unix milliseconds by id.
  func used(_ times: [String: Int64]) throws(StoreError)
  /// Removes the tokens with these ids.
  func remove(_ ids: [String]) throws(StoreError)
}
