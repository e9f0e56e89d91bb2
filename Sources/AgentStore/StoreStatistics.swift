/// What the writer of a store has done since it was opened.
public struct StoreStatistics: Sendable, Hashable {
  /// Transactions that are durable.
  public var commits = 0
  /// Writes in them.
  public var writes = 0
  /// Writes that failed.
  public var failures = 0
  /// Writes in the last transaction.
  public var lastGroup = 0
  /// Writes in the largest transaction.
  public var largestGroup = 0
  /// Writes that wait now.
  public var waiting = 0
  /// How long the last transaction took, in nanoseconds, commit included.
  public var lastDuration: UInt64 = 0
  /// How long the slowest transaction took, in nanoseconds.
  public var longestDuration: UInt64 = 0
  /// All transactions together, in nanoseconds.
  public var totalDuration: UInt64 = 0
  /// How often recent changes were taken over into the file.
  public var checkpoints = 0
  /// Pages in the log of recent changes, after the last commit.
  public var logPages = 0

  /// Writes per transaction.
  public var meanGroup: Double { commits == 0 ? 0 : Double(writes) / Double(commits) }
  /// Nanoseconds per transaction.
  public var meanDuration: Double { commits == 0 ? 0 : Double(totalDuration) / Double(commits) }
}
