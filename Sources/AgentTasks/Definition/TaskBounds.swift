/// The ranges of a task's numbers. The schemas of requests have the same ranges. Numbers from rows
/// and programs are clamped to them when they are read.
enum TaskBounds {
  /// The greatest number that every JSON reader keeps exact.
  static let greatest: Int64 = 1 << 53
  /// In milliseconds.
  static let duration: ClosedRange<Int64> = 1...greatest
  /// In Unix milliseconds.
  static let moment: ClosedRange<Int64> = 0...greatest
  /// The limit of a concurrency key, and the count of a rate.
  static let concurrency: ClosedRange<Int64> = 1...1_000_000
  static let attempts: ClosedRange<Int64> = 1...1_000_000
  /// The factor by which each wait grows.
  static let factor: ClosedRange<Double> = 1...100
  /// The random part of a wait.
  static let jitter: ClosedRange<Double> = 0...1
  static let priority: ClosedRange<Int64> = 0...1_000
  /// The bytes of a definition as JSON, with its input.
  static let definitionBytes = 4 << 20
  /// The bytes of a result as JSON.
  static let resultBytes = 4 << 20
  /// The bytes of a report of progress as JSON.
  static let progressBytes = 64 << 10
  /// The bytes of the sentence that says why an attempt has failed.
  static let errorBytes = 64 << 10
  /// The bytes of one member of what an event carries.
  static let eventBytes = 64 << 10
  /// The length of a name in characters.
  static let name = 1...200
}
