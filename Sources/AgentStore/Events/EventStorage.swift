/// Reads the event log within a read or a write. Every call throws ``StoreError`` if the file can't
/// be read.
public protocol EventReader: AnyObject {
  /// Returns the first events of a selection, about `size` of them. A page ordered by time may have
  /// more if there are many types.
  func page(_ selection: EventSelection, size: Int) throws(StoreError) -> EventPage
  /// Returns a summary of each type that has events, sorted by name.
  func types() throws(StoreError) -> [EventTypeSummary]
  /// Returns the names of types that are equal to one of these lowercased names when lowercased. Some
  /// may have no events any more. The cost doesn't grow with the number of types.
  func types(spelledLike lowercased: Set<String>) throws(StoreError) -> [String]
  /// Returns the number of known types, including those without events.
  func countOfTypes() throws(StoreError) -> Int
  /// Returns the greatest position that was assigned so far, even if its event was removed. 0
  /// before the first event.
  func lastPosition() throws(StoreError) -> Int64
  /// Whether ``EventStorage/retain(_:now:limit:)`` would remove something of what is committed.
  /// - Parameter now: the moment from which the rule's age counts, in Unix milliseconds.
  func isDue(_ rule: EventRetentionRule, now: Int64) throws(StoreError) -> Bool
}

/// Writes the event log. Positions increase, may have gaps, and are never reused.
public protocol EventStorage: EventReader {
  /// Stores events in this order.
  /// - Returns: their consecutive positions. The caller must not publish them before the write is
  ///   durable.
  /// - Throws: `invalid` if a type is empty. Then none of the events is stored.
  func append(_ events: [NewEvent]) throws(StoreError) -> Range<Int64>

  /// Removes the oldest events of one type, by timestamp, until a rule is met.
  ///
  /// - Parameters:
  ///   - now: the time from which the rule's age counts, in Unix milliseconds.
  ///   - limit: the largest number of events to remove at once. Call again in another write while
  ///     `isFinished` is false, so that other writes can run in between.
  func retain(_ rule: EventRetentionRule, now: Int64, limit: Int) throws(StoreError)
    -> EventRetentionStep

  /// Removes the types without events. Each type costs a search in every read by time.
  /// - Returns: the number of removed types.
  @discardableResult
  func forgetEmptyTypes() throws(StoreError) -> Int
}

/// The limits of the events of one type. A property that is `nil` sets no limit.
public struct EventRetentionRule: Sendable, Hashable {
  public var type: String
  /// The time that an event is kept after its timestamp, in milliseconds.
  public var age: Int64?
  /// The largest number of events.
  public var count: Int64?
  /// The largest total size of the bodies, in bytes.
  public var bytes: Int64?
  /// Events after this position are always kept, because a consumer still needs them.
  public var keepsAfter: Int64?

  /// Creates a rule.
  public init(
    type: String, age: Int64? = nil, count: Int64? = nil, bytes: Int64? = nil,
    keepsAfter: Int64? = nil
  ) {
    self.type = type
    self.age = age
    self.count = count
    self.bytes = bytes
    self.keepsAfter = keepsAfter
  }
}

/// The result of one call of `retain`.
public struct EventRetentionStep: Sendable, Hashable {
  /// The number of removed events.
  public let count: Int
  /// The total size of their bodies in bytes.
  public let bytes: Int64
  /// Whether no event is left that the rule would remove.
  public let isFinished: Bool
}
