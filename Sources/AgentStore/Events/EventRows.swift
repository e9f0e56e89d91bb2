/// An event to be stored. The store assigns its position.
public struct NewEvent: Sendable, Hashable {
  /// The type, which must not be empty.
  public var type: String
  /// The time of the event in Unix milliseconds.
  public var timestamp: Int64
  public var source: String
  /// The whole object as JSON text in UTF-8. It is stored without changes.
  public var body: [UInt8]
  /// The key by which the event replaces a stored one of the same type, which is removed.
  public var overwriteKey: String?

  /// Creates a row.
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
  /// The position in the log. It is greater than the positions of all events that were stored
  /// before, and is never reused.
  public let position: Int64
  public let type: String
  /// The time of the event in Unix milliseconds.
  public let timestamp: Int64
  public let source: String
  /// The whole object as JSON text in UTF-8.
  public let body: [UInt8]
}

/// A summary of the events of one type.
public struct EventTypeSummary: Sendable, Hashable {
  public let type: String
  public let count: Int64
  /// The total size of the bodies in bytes.
  public let bytes: Int64
  /// The least timestamp; `nil` without events.
  public let first: Int64?
  /// The greatest timestamp.
  public let last: Int64?
}
