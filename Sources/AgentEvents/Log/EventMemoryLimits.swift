/// The limits of what a bus without a log remembers, for queries and for windows of new
/// subscriptions.
public struct EventMemoryLimits: Sendable, Hashable {
  /// The maximum age in milliseconds.
  public var age: Int64
  /// The maximum number of events.
  public var count: Int
  /// The maximum size of all events together, in bytes of JSON.
  public var bytes: Int

  /// Makes limits. The defaults are one hour, 200,000 events and 64 MiB. The first limit
  /// reached applies.
  public init(age: Int64 = 3_600_000, count: Int = 200_000, bytes: Int = 64 << 20) {
    self.age = age
    self.count = count
    self.bytes = bytes
  }
}
