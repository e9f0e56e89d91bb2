/// The answer to a request with an idempotency key. The same request, sent again, gets the same
/// answer, and nothing is done twice.
public struct IdempotencyKeyRow: Sendable, Hashable {
  /// The caller; each has keys of its own.
  public let principal: String
  /// The idempotency key of the request.
  public let key: String
  /// A digest of the request, by which another request with the same key is found out.
  public let fingerprint: [UInt8]
  /// When the request came, in Unix milliseconds.
  public let created: Int64
  /// The HTTP status of the answer; nil while the request is worked on, or when the host ended
  /// then.
  public var status: Int?
  /// The media type of the answer.
  public var contentType: String
  public var body: [UInt8]
  /// Whether the answer is in `body`; one that is too large isn't kept.
  public var isKept: Bool

  /// Makes a row.
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

/// Reads answers to requests with idempotency keys.
public protocol IdempotencyKeyReader: AnyObject {
  /// The request of a caller and key, or nil.
  func reply(_ principal: String, _ key: String) throws(StoreError) -> IdempotencyKeyRow?
  /// About how many bytes all answers take: texts, digests, bodies, and 200 bytes for each.
  func replyBytes() throws(StoreError) -> Int64
}

/// Writes answers to requests with idempotency keys.
public protocol IdempotencyKeyStorage: IdempotencyKeyReader {
  /// Adds a request before it is worked on. Fails with `conflict` when there is one of this key.
  func insert(_ reply: IdempotencyKeyRow) throws(StoreError)
  /// Adds the answer to a request that is there.
  func finish(_ reply: IdempotencyKeyRow) throws(StoreError)
  /// Removes a request, as if it had never come.
  func removeKey(_ principal: String, _ key: String) throws(StoreError)
  /// Removes requests that came before a moment.
  func removeExpiredKeys(before moment: Int64) throws(StoreError)
  /// Removes the oldest answer. Requests without an answer stay.
  /// - Returns: whether there was one.
  func removeOldestKey() throws(StoreError) -> Bool
}
