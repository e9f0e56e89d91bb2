/// Why something isn't an interval, a date or a schedule.
public struct ScheduleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of reason.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The text isn't an interval.
    case interval
    /// The text isn't a date.
    case date
    /// The text isn't a policy.
    case policy
    /// The parts of a schedule don't go together.
    case schedule
  }

  /// The kind of reason.
  public let code: Code
  /// A sentence: what was found and what may stand there.
  public let message: String

  /// An error with its sentence.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The sentence.
  public var description: String { message }
}
