/// The memory of a bus without a log, for queries and for windows of new subscriptions.
public struct EventRetention: Sendable, Hashable {
  /// The maximum age in milliseconds.
  public var age: Int64
  /// The maximum number of events.
  public var count: Int
  /// The maximum size of all events together, in bytes of JSON.
  public var bytes: Int

  /// Makes a retention. The defaults are one hour, 200,000 events and 64 MiB. The first limit
  /// reached applies.
  public init(age: Int64 = 3_600_000, count: Int = 200_000, bytes: Int = 64 << 20) {
    self.age = age
    self.count = count
    self.bytes = bytes
  }
}

/// The policy for an event that finds a subscription's queue full.
public enum EventOverflow: String, Sendable {
  /// The oldest waiting event is lost.
  case dropOldest = "drop_oldest"
  /// The new event is lost.
  case dropNewest = "drop_newest"
  /// The event is queued anyway. Its publisher gets the answer when there is space again, at the
  /// latest after ``EventSubscription/publisherPatience``. From then until there is space, it is
  /// `dropOldest`.
  case block
  /// The subscription reads events that don't fit from the log when there is space. No stored event
  /// is lost. In a bus without a log it is `dropOldest`.
  case readLog = "read_log"
}
