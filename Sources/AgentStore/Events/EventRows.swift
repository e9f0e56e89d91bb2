/// An event to be stored. The store gives its position.
public struct NewEvent: Sendable, Hashable {
  /// Not empty.
  public var type: String
  /// When it happened, in Unix milliseconds.
  public var timestamp: Int64
  public var source: String
  /// The whole object as JSON text in UTF-8, kept byte by byte.
  public var body: [UInt8]
  /// The event takes the place of a stored one of the same type and key, which is removed.
  public var overwriteKey: String?

  /// Makes a row.
  public init(
    type: String, timestamp: Int64, source: String, body: [UInt8], overwriteKey: String? = nil
  ) {
    self.type = type
    self.timestamp = timestamp
    self.source = source
    self.body = body
    self.overwriteKey = overwriteKey
  }
}

/// An event of the log.
public struct StoredEvent: Sendable, Hashable {
  /// Its place in the log: greater than that of every event stored before, and never given twice.
  public let position: Int64
  public let type: String
  /// When it happened, in Unix milliseconds.
  public let timestamp: Int64
  public let source: String
  /// The whole object as JSON text in UTF-8.
  public let body: [UInt8]
}

/// What the log holds of one type.
public struct EventTypeSummary: Sendable, Hashable {
  public let type: String
  public let count: Int64
  /// The bytes of their bodies.
  public let bytes: Int64
  /// The least timestamp; nil without events.
  public let first: Int64?
  /// The greatest timestamp.
  public let last: Int64?
}
