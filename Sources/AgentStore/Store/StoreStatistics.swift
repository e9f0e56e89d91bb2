/// Counts and times of a store's writer since the store was opened.
public struct StoreStatistics: Sendable, Hashable {
  /// How many transactions are durable.
  public var commits = 0
  /// How many writes are durable.
  public var writes = 0
  /// How many writes failed.
  public var failures = 0
  /// Writes in the last transaction.
  public var lastGroup = 0
  /// Writes in the largest transaction.
  public var largestGroup = 0
  /// How many writes wait now.
  public var waiting = 0
  /// How long the last transaction took, in nanoseconds, commit included.
  public var lastDuration: UInt64 = 0
  /// How long the slowest transaction took, in nanoseconds.
  public var longestDuration: UInt64 = 0
  /// All transactions together, in nanoseconds.
  public var totalDuration: UInt64 = 0
  /// How often recent changes were taken over into the file.
  public var checkpoints = 0
  /// When that was done last, in Unix milliseconds.
  public var lastCheckpoint: Int64?
  /// Pages in the log of recent changes, after the last commit.
  public var logPages = 0
  /// How long transactions took, in seconds, commit included.
  public var durations = StoreDistribution(bounds: [
    0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
    2.5, 5, 10,
  ])
  /// How many writes were in each.
  public var groups = StoreDistribution(bounds: [
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024,
  ])

  /// Writes per transaction.
  public var meanGroup: Double { commits == 0 ? 0 : Double(writes) / Double(commits) }
  /// Nanoseconds per transaction.
  public var meanDuration: Double { commits == 0 ? 0 : Double(totalDuration) / Double(commits) }
}
