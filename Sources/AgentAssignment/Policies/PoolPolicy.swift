/// How many instances of a process a pool may have, and what for.
public struct PoolPolicy: Sendable, Hashable {
  /// The share of a pool's room that may be taken after it was made smaller: what is left keeps
  /// the chance ups and downs of a steady load from making it larger again.
  public static let fullness = 0.7

  /// The fewest instances.
  public let min: Int
  /// The most.
  public let max: Int
  /// Milliseconds that a task shall wait at most.
  public let targetQueueTime: Int64
  /// How many tasks an instance takes at once.
  public let concurrency: Int
  /// Milliseconds after a change before it is made larger again: the time that instances need to
  /// start and to show what they do.
  public let growAfter: Int64
  /// Milliseconds for which fewer would have been enough before it is made smaller.
  public let shrinkAfter: Int64

  /// A policy. What makes no sense is moved to what does: `min` to 0 … , `max` to at least `min`
  /// and 1, times and concurrency to at least 1.
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
