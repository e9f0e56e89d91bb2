/// What the numbers of tasks may be. The schemas of requests say the same; rows of the database and
/// what programs give are brought within them where they are read.
enum TaskBounds {
  /// The greatest number that every reader of JSON takes exactly.
  static let greatest: Int64 = 1 << 53
  /// A duration in milliseconds.
  static let duration: ClosedRange<Int64> = 1...greatest
  /// A moment in Unix milliseconds.
  static let moment: ClosedRange<Int64> = 0...greatest
  /// How many may run at once, or begin within a period.
  static let concurrency: ClosedRange<Int64> = 1...1_000_000
  /// How many attempts there may be.
  static let attempts: ClosedRange<Int64> = 1...1_000_000
  /// With what the wait before an attempt is multiplied.
  static let factor: ClosedRange<Double> = 1...100
  /// The part of a wait that chance decides on.
  static let jitter: ClosedRange<Double> = 0...1
  /// A priority.
  static let priority: ClosedRange<Int64> = 0...1_000
  /// How many characters a name of something may have.
  static let name = 1...200
}
