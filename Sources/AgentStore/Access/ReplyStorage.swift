/// What was answered to a request with an idempotency key, so that the same request, sent again,
/// gets the same answer and nothing is done twice.
public struct ReplyRow: Sendable, Hashable {
  /// Who asked.
  public let principal: String
  /// The key they gave.
  public let key: String
  /// A digest of the request.
  public let fingerprint: [UInt8]
  /// When it came, in Unix milliseconds.
  public let created: Int64
  /// The status of the answer; nil while there is none.
  public var status: Int?
  /// The media type of the answer.
  public var contentType: String
  /// The answer.
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

/// Reads answers that were given.
public protocol ReplyReading: AnyObject {
  /// What there is for somebody's key.
  func reply(_ principal: String, _ key: String) throws(StoreError) -> ReplyRow?
  /// About how many bytes all of them take: texts, digests and answers, and 200 bytes for each.
  func replyBytes() throws(StoreError) -> Int64
}

/// Answers that were given.
public protocol ReplyStorage: ReplyReading {
  /// Adds a request that is being worked on. Fails with `conflict` when there is one of this key.
  func insert(_ reply: ReplyRow) throws(StoreError)
  /// Adds the answer to a request that is there.
  func finish(_ reply: ReplyRow) throws(StoreError)
  /// Forgets a request, as if it had never come.
  func removeReply(_ principal: String, _ key: String) throws(StoreError)
  /// Forgets what came before a moment.
  func removeReplies(before moment: Int64) throws(StoreError)
  /// Forgets the oldest answer. What is being worked on, or was interrupted, stays.
  /// - Returns: whether there was one.
  func removeOldestReply() throws(StoreError) -> Bool
}
