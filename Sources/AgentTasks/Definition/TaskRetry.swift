internal import AgentSystem

/// The number and the delays of retries after failed attempts.
public struct TaskRetry: Sendable, Hashable {
  /// The largest number of attempts. 1 means no retry.
  public var attempts: Int64 = 1
  /// The delay before the second attempt, in milliseconds.
  public var initial: Int64 = 1_000
  /// The factor by which each further delay grows.
  public var factor: Double = 2
  /// The longest delay in milliseconds.
  public var most: Int64 = 3_600_000
  /// The random part of each delay, from 0 to 1.
  public var jitter: Double = 0.5

  /// Creates a retry policy with the defaults.
  public init() {}

  /// Returns the milliseconds until the next attempt, or `nil` if no attempt is left.
  ///
  /// The delay grows with each failure. A random part of it, at most the fraction `jitter`, is
  /// subtracted, so that tasks that failed together aren't retried together.
  /// - Parameters:
  ///   - failures: the number of failed attempts so far; at least 1.
  ///   - randomFraction: a random number from 0 to 1.
  public func wait(after failures: Int64, randomFraction: Double) -> Int64? {
    guard failures < attempts else { return nil }
    var full = Double(initial)
    // The loop is limited, because with a factor of 1 the delay never reaches its maximum and the
    // number of failures may be a million.
    for _ in 1..<max(1, min(failures, 200)) where full < Double(most) { full *= max(1, factor) }
    full = min(full, Double(most))
    let part = jitter.clamped(to: 0...1) * randomFraction.clamped(to: 0...1)
    return Int64(clamping: full * (1 - part)).clamped(to: 0...TaskBounds.greatest)
  }
}

/// The time-outs of a task in milliseconds. `nil` means none.
public struct TaskTimeouts: Sendable, Hashable {
  /// From the time it is queued until the host or a bot takes it.
  public var queued: Int64?
  /// For one attempt.
  public var run: Int64?
  /// From the request to the end, with all attempts.
  public var total: Int64?
  /// Between two heartbeats of a bot.
  public var heartbeat: Int64?

  /// Creates an empty set of time-outs.
  public init() {}

  var isEmpty: Bool { queued == nil && run == nil && total == nil && heartbeat == nil }
}
