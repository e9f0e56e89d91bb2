/// The statistics of a store's writer since the store was opened.
public struct StoreStatistics: Sendable, Hashable {
  /// The number of durable transactions.
  public var commits = 0
  /// The number of durable writes.
  public var writes = 0
  /// The number of failed writes.
  public var failures = 0
  /// The number of writes in the last transaction.
  public var lastGroup = 0
  /// The number of writes in the largest transaction.
  public var largestGroup = 0
  /// The number of writes that wait now.
  public var waiting = 0
  /// The duration of the last transaction in nanoseconds, including the commit.
  public var lastDuration: UInt64 = 0
  /// The duration of the slowest transaction in nanoseconds.
  public var longestDuration: UInt64 = 0
  /// The total duration of all transactions in nanoseconds.
  public var totalDuration: UInt64 = 0
  /// The number of checkpoints.
  public var checkpoints = 0
  /// The time of the last checkpoint in Unix milliseconds.
  public var lastCheckpoint: Int64?
  /// The number of pages in the write-ahead log after the last commit.
  public var logPages = 0
  /// The durations of transactions in seconds, including the commit.
  public var durations = StoreDistribution(bounds: [
    0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
    2.5, 5, 10,
  ])
  /// The numbers of writes in the transactions.
  public var groups = StoreDistribution(bounds: [
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024,
  ])

  /// The mean number of writes in a transaction.
  public var meanGroup: Double { commits == 0 ? 0 : Double(writes) / Double(commits) }
  /// The mean duration of a transaction in nanoseconds.
  public var meanDuration: Double { commits == 0 ? 0 : Double(totalDuration) / Double(commits) }
}
