/// A bearer token as it is stored: without its secret, with the secret's digest.
public struct TokenRow: Sendable, Hashable {
  /// The public half, which finds the row.
  public let id: String
  /// Its purpose, in its owner's words.
  public let name: String
  /// `person`, `program` or `bot`.
  public let kind: String
  /// The user, program or bot that it stands for.
  public let subject: String
  /// The scopes that it allows, sorted.
  public let scopes: [String]
  public let digest: [UInt8]
  /// When it was made, in Unix milliseconds.
  public let created: Int64
  /// When it ends, in Unix milliseconds; nil for a token that doesn't end.
  public let expires: Int64?
  /// When it was revoked, in Unix milliseconds.
  public var revoked: Int64?
  /// When it was last used, in Unix milliseconds. Written down once a minute at most.
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
public protocol TokenReader: AnyObject {
  /// All tokens, the oldest first; revoked and expired ones too, until they are removed.
  func tokens() throws(StoreError) -> [TokenRow]
}

/// Writes tokens.
public protocol TokenStorage: TokenReader {
  /// Adds a token. Fails with `conflict` when there is one of this id.
  func insert(_ token: TokenRow) throws(StoreError)
  /// Revokes a token.
  /// - Returns: false when there is none, or it was revoked before.
  @discardableResult
  func revoke(_ id: String, now: Int64) throws(StoreError) -> Bool
  /// Notes when tokens were last used: Unix milliseconds by id.
  func used(_ times: [String: Int64]) throws(StoreError)
  /// Removes the tokens with these ids.
  func remove(_ ids: [String]) throws(StoreError)
}
