/// The stored response to a request with an idempotency key. If the same request is repeated, the
/// caller gets the same response and nothing is done twice.
public struct IdempotencyKeyRow: Sendable, Hashable {
  /// The caller. Each caller has its own keys.
  public let principal: String
  /// The idempotency key of the request.
  public let key: String
  /// A digest of the request. It reveals a different request with the same key.
  public let fingerprint: [UInt8]
  /// The time of the request in Unix milliseconds.
  public let created: Int64
  /// The HTTP status of the response. `nil` while the request is processed, or if the host ended
  /// during that time.
  public var status: Int?
  /// The media type of the response.
  public var contentType: String
  public var body: [UInt8]
  /// Whether `body` contains the response. A response that is too large isn't stored.
  public var isKept: Bool

  /// Creates a row.
  public init(
    principal: String, key: String, fingerprint: [UInt8], created: Int64, status: Int? = nil,
    contentType: String = "", body: [UInt8] = [], isKept: Bool = true
  ) {
    self.principal = principal
    self.key = key
    self.fingerprint = fingerprint
    self.created = created
    self.status = status
    self.contentType = contentType
    self.body = body
    self.isKept = isKept
  }
}

/// Reads responses to requests with idempotency keys.
public protocol IdempotencyKeyReader: AnyObject {
  /// Returns the request of a caller with a key, or `nil` if there is none.
  func reply(_ principal: String, _ key: String) throws(StoreError) -> IdempotencyKeyRow?
  /// Returns the approximate size of all responses in bytes: texts, digests and bodies, and 200
  /// bytes for each.
  func replyBytes() throws(StoreError) -> Int64
}

/// Writes responses to requests with idempotency keys.
public protocol IdempotencyKeyStorage: IdempotencyKeyReader {
  /// Adds a request before it is processed.
  /// - Throws: `conflict` if the key exists.
  func insert(_ reply: IdempotencyKeyRow) throws(StoreError)
  /// Adds the response to a stored request.
  func finish(_ reply: IdempotencyKeyRow) throws(StoreError)
  /// Removes a request as if it had never been sent.
  func removeKey(_ principal: String, _ key: String) throws(StoreError)
  /// Removes requests that arrived before a time in Unix milliseconds.
  func removeExpiredKeys(before moment: Int64) throws(StoreError)
  /// Removes the oldest response. Requests without a response are kept.
  /// - Returns: false if there was no response.
  func removeOldestKey() throws(StoreError) -> Bool
}
