/// Reads the event log, within a read or a write. Every call throws ``StoreError`` when the file
/// can't be read.
public protocol EventReader: AnyObject {
  /// The first events of a selection, about `size` of them. A page in the order of time may have
  /// more where there are many types.
  func page(_ selection: EventSelection, size: Int) throws(StoreError) -> EventPage
  /// A summary of each type that has events, sorted by name.
  func types() throws(StoreError) -> [EventTypeSummary]
  /// How many types the log knows, those without events included.
  func countOfTypes() throws(StoreError) -> Int
  /// The greatest position given so far, whether its event is still there or not; 0 before the
  /// first.
  func lastPosition() throws(StoreError) -> Int64
  /// Whether ``EventStorage/retain(_:now:limit:)`` would remove something of what is committed.
  /// - Parameter now: the moment from which the rule's age counts, in Unix milliseconds.
  func isDue(_ rule: EventRetentionRule, now: Int64) throws(StoreError) -> Bool
}

/// Writes the event log. Positions increase, are never given twice, and have gaps.
public protocol EventStorage: EventReader {
  /// Stores events in this order.
  ///
  /// Fails with `invalid` before it stores any of them when a type is empty.
  /// - Returns: their positions, one after the other. The caller must not publish them before the
  ///   write is durable.
  func append(_ events: [NewEvent]) throws(StoreError) -> Range<Int64>

  /// Removes the oldest events of one type, by timestamp, until a rule is met.
  ///
  /// - Parameters:
  ///   - now: the moment from which the rule's age counts, in Unix milliseconds.
  ///   - limit: the most events to remove at once. Call again while `isFinished` is false, in a
  ///     write each, so that others aren't held up.
  func retain(_ rule: EventRetentionRule, now: Int64, limit: Int) throws(StoreError)
    -> EventRetentionStep

  /// Forgets the types that have no events any more. Each type costs a search in every read by
  /// time.
  /// - Returns: how many.
  @discardableResult
  func forgetEmptyTypes() throws(StoreError) -> Int
}

/// How much of one type the log keeps. A property that is nil sets no limit.
public struct EventRetentionRule: Sendable, Hashable {
  public var type: String
  /// How many milliseconds an event is kept after its timestamp.
  public var age: Int64?
  /// The most events.
  public var count: Int64?
  /// The most bytes of bodies.
  public var bytes: Int64?
  /// Events after this position are kept in any case, because a consumer still needs them.
  public var keepsAfter: Int64?

  /// Makes a rule.
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
  /// How many events were removed.
  public let count: Int
  /// The bytes of their bodies.
  public let bytes: Int64
  /// Whether nothing is left that the rule would remove.
  public let isFinished: Bool
}
