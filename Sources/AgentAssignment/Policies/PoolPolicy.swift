/// The size limits and the wait target of a pool.
public struct PoolPolicy: Sendable, Hashable {
  /// The share of a pool's slots that may be taken after the pool shrank. The rest absorbs the
  /// random variation of a steady load, which would otherwise make the pool grow again.
  public static let fullness = 0.7

  /// The minimum number of instances.
  public let min: Int
  /// The maximum number of instances.
  public let max: Int
  /// The longest time that a task should wait, in milliseconds.
  public let targetQueueTime: Int64
  /// How many tasks an instance takes at once.
  public let concurrency: Int
  /// Milliseconds after a change before the pool grows again. Instances need this time to start and
  /// to affect the load.
  public let growAfter: Int64
  /// Milliseconds for which fewer instances must have been enough before the pool shrinks.
  public let shrinkAfter: Int64

  /// Creates a policy. Invalid values become the nearest valid ones: `min` at least 0, `max` at least
  /// `min` and 1, times and concurrency at least 1.
  public init(
    min: Int, max: Int, targetQueueTime: Int64, concurrency: Int = 1,
    growAfter: Int64 = 10_000, shrinkAfter: Int64 = 60_000
  ) {
    let least = Swift.min(Swift.max(0, min), 100_000)
    self.min = least
    self.max = Swift.min(Swift.max(1, least, max), 100_000)
    self.targetQueueTime = Swift.max(1, targetQueueTime)
    self.concurrency = Swift.min(Swift.max(1, concurrency), BotDefinition.concurrency.upperBound)
    self.growAfter = Swift.max(1, growAfter)
    self.shrinkAfter = Swift.max(1, shrinkAfter)
  }
}
