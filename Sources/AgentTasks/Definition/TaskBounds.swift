/// The ranges of a task's numbers. The schemas of requests have the same ranges. Numbers of rows
/// and programs are clamped to them when they are read.
enum TaskBounds {
  /// The greatest number that every JSON reader represents exactly.
  static let greatest: Int64 = 1 << 53
  /// In milliseconds.
  static let duration: ClosedRange<Int64> = 1...greatest
  /// In Unix milliseconds.
  static let moment: ClosedRange<Int64> = 0...greatest
  /// The limit of a concurrency key, and the count of a rate limit.
  static let concurrency: ClosedRange<Int64> = 1...1_000_000
  static let attempts: ClosedRange<Int64> = 1...1_000_000
  /// The factor by which each delay grows.
  static let factor: ClosedRange<Double> = 1...100
  /// The random part of a delay.
  static let jitter: ClosedRange<Double> = 0...1
  static let priority: ClosedRange<Int64> = 0...1_000
  /// The largest definition as JSON, including its input, in bytes.
  static let definitionBytes = 4 << 20
  /// The largest result as JSON, in bytes.
  static let resultBytes = 4 << 20
  /// The largest report of progress as JSON, in bytes.
  static let progressBytes = 64 << 10
  /// The longest error message of an attempt, in bytes.
  static let errorBytes = 64 << 10
  /// The largest member of an event's data, in bytes.
  static let eventBytes = 64 << 10
  /// The length of a name, in characters.
  static let name = 1...200
}
