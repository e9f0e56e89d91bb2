/// How long a bus without a log remembers events for queries and for windows of new subscriptions.
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

/// What happens to an event that finds a subscription's queue full.
public enum EventOverflow: String, Sendable {
  /// The event that has waited longest makes room.
  case dropOldest = "drop_oldest"
  /// The new event is lost.
  case dropNewest = "drop_newest"
  /// The event waits all the same, and whoever published it is answered when there is room again.
  case block
  /// What doesn't fit is read from the log, once there is room: nothing that is stored is lost.
  /// In a bus without a log as `dropOldest`.
  case readLog = "read_log"
}
