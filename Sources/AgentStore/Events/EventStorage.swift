/// Reads the event log.
public protocol EventReading: AnyObject {
  /// The first events of a selection, about `size` of them: a page in the order of time may have more
  /// where there are many types.
  func page(_ selection: EventSelection, size: Int) throws(StoreError) -> EventPage
  /// What the log holds, by type, sorted by name. Types without events are left out.
  func types() throws(StoreError) -> [EventTypeSummary]
  /// How many types the log knows, those without events included.
  func countOfTypes() throws(StoreError) -> Int
  /// The greatest position given so far, of an event that is still there or not; 0 before the first.
  func lastPosition() throws(StoreError) -> Int64
}

/// The event log. Positions increase, are never given twice, and are not without gaps.
public protocol EventStorage: EventReading {
  /// Stores events in this order.
  ///
  /// Fails with `invalid` before it stores any of them when a type is empty.
  /// - Returns: their positions, one after the other. Not to be told to anyone before the write is
  ///   durable.
  func append(_ events: [NewEvent]) throws(StoreError) -> Range<Int64>

  /// Removes the oldest events, by timestamp, of one type, as far as a rule wants it.
  ///
  /// - Parameters:
  ///   - now: the moment from which the rule's age counts, in Unix milliseconds.
  ///   - limit: the most events to remove at once; call again while `isFinished` is false, in a
  ///     write each, so that others aren't held up.
  func retain(_ rule: EventRetentionRule, now: Int64, limit: Int) throws(StoreError)
    -> EventRetentionStep

  /// Forgets the types of which there is no event any more, so that types that were used once don't
  /// cost for ever.
  /// - Returns: how many.
  @discardableResult
  func forgetEmptyTypes() throws(StoreError) -> Int
}

/// How much of one type the log keeps. What is nil has no limit.
public struct EventRetentionRule: Sendable, Hashable {
  /// The type.
  public var type: String
  /// Events are kept for so many milliseconds after their timestamp.
  public var age: Int64?
  /// The most events.
  public var count: Int64?
  /// The most bytes of bodies.
  public var bytes: Int64?
  /// Events after this position are kept in any case: what a consumer still needs.
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

/// What one call of `retain` has done.
public struct EventRetentionStep: Sendable, Hashable {
  /// How many events were removed.
  public let count: Int
  /// The bytes of their bodies.
  public let bytes: Int64
  /// Nothing is left that the rule would remove.
  public let isFinished: Bool
}
