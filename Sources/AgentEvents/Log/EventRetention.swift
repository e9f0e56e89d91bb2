/// How many events a bus without a log remembers, for queries and for windows of new subscriptions.
public struct EventRetention: Sendable, Hashable {
  /// The greatest age in milliseconds.
  public var age: Int64
  /// The greatest number of events.
  public var count: Int
  /// The greatest size of all events together, in bytes of JSON.
  public var bytes: Int

  /// One hour, 200,000 events, 64 MiB, whichever is reached first.
  public init(age: Int64 = 3_600_000, count: Int = 200_000, bytes: Int = 64 << 20) {
    self.age = age
    self.count = count
    self.bytes = bytes
  }
}

/// The policy for an event that finds a subscription's queue full.
public enum EventOverflow: String, Sendable {
  /// The event that has waited longest is lost.
  case dropOldest = "drop_oldest"
  /// The new event is lost.
  case dropNewest = "drop_newest"
  /// The event waits all the same, and its publisher is answered when there is room again.
  case block
  /// The subscription reads events that don't fit from the log, once there is room. No stored event
  /// is lost. In a bus without a log it is `dropOldest`.
  case readLog = "read_log"
}
