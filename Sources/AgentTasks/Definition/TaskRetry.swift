internal import AgentSystem

/// How often and when a failed attempt is followed by another one.
public struct TaskRetry: Sendable, Hashable {
  /// Attempts in all; 1 for none after the first.
  public var attempts: Int64 = 1
  /// Milliseconds before the second attempt.
  public var initial: Int64 = 1_000
  /// With what the wait is multiplied for each further attempt.
  public var factor: Double = 2
  /// The longest wait in milliseconds.
  public var most: Int64 = 3_600_000
  /// The part of the wait, from 0 to 1, that chance decides on.
  public var jitter: Double = 0.5

  /// What is usual.
  public init() {}

  /// Milliseconds until the next attempt; nil when there is none.
  ///
  /// The wait grows with each failure. Chance takes off up to the jitter's part of it, so that what
  /// failed together doesn't come back together.
  /// - Parameters:
  ///   - failures: attempts that have failed so far; at least 1.
  ///   - chance: from 0 to 1.
  public func wait(after failures: Int64, chance: Double) -> Int64? {
    guard failures < attempts else { return nil }
    var full = Double(initial)
    for _ in 1..<max(1, min(failures, 200)) where full < Double(most) { full *= max(1, factor) }
    full = min(full, Double(most))
    let part = jitter.clamped(to: 0...1) * chance.clamped(to: 0...1)
    return Int64(clamping: full * (1 - part)).clamped(to: 0...TaskBounds.greatest)
  }
}

/// How long what may take, in milliseconds. What is nil may take any time.
public struct TaskTimeouts: Sendable, Hashable {
  /// From when it was queued until somebody takes it.
  public var queued: Int64?
  /// One attempt.
  public var run: Int64?
  /// From when somebody asked for it until it has ended, with all attempts.
  public var total: Int64?
  /// Between two signs of life of who does it.
  public var heartbeat: Int64?

  /// None.
  public init() {}

  var isEmpty: Bool { queued == nil && run == nil && total == nil && heartbeat == nil }
}
