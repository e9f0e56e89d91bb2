/// The reason why a text isn't an interval, a date or a policy, or why a schedule is invalid.
public struct ScheduleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The text isn't an interval.
    case interval
    /// The text isn't a date.
    case date
    /// The text isn't a policy.
    case policy
    /// The parts of a schedule contradict each other.
    case schedule
  }

  /// The kind of error.
  public let code: Code
  /// A sentence with the found text and the allowed forms.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The same as ``message``.
  public var description: String { message }
}
