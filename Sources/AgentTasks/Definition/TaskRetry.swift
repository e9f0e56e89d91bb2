internal import AgentSystem

/// How often and when a failed attempt is retried.
public struct TaskRetry: Sendable, Hashable {
  /// All attempts together; 1 means no retry.
  public var attempts: Int64 = 1
  /// The wait before the second attempt, in milliseconds.
  public var initial: Int64 = 1_000
  /// The factor by which each further wait grows.
  public var factor: Double = 2
  /// The longest wait in milliseconds.
  public var most: Int64 = 3_600_000
  /// The random part of each wait, from 0 to 1.
  public var jitter: Double = 0.5

  /// The defaults.
  public init() {}

  /// The milliseconds until the next attempt; nil if no attempt is left.
  ///
  /// The wait grows with each failure. A random part of it, up to the fraction `jitter`, is taken
  /// off, so that tasks that failed together don't come back together.
  /// - Parameters:
  ///   - failures: the failed attempts so far; at least 1.
  ///   - randomFraction: a random number from 0 to 1.
  public func wait(after failures: Int64, randomFraction: Double) -> Int64? {
    guard failures < attempts else { return nil }
    var full = Double(initial)
    // With a factor of 1 the wait never reaches the longest one, and there may be a million
    // failures.
    for _ in 1..<max(1, min(failures, 200)) where full < Double(most) { full *= max(1, factor) }
    full = min(full, Double(most))
    let part = jitter.clamped(to: 0...1) * randomFraction.clamped(to: 0...1)
    return Int64(clamping: full * (1 - part)).clamped(to: 0...TaskBounds.greatest)
  }
}

/// Time-outs in milliseconds; nil means none.
public struct TaskTimeouts: Sendable, Hashable {
  /// From queued until the host or a bot takes it.
  public var queued: Int64?
  /// For one attempt.
  public var run: Int64?
  /// From the request until the end, with all attempts.
  public var total: Int64?
  /// Between two heartbeats of a bot.
  public var heartbeat: Int64?

  /// No time-outs.
  public init() {}

  var isEmpty: Bool { queued == nil && run == nil && total == nil && heartbeat == nil }
}
