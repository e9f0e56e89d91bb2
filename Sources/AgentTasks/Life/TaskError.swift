/// Why something can't be done with a task.
public struct TaskError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of obstacle it is.
  public enum Code: String, Sendable {
    /// There is none of this number or name.
    case missing
    /// It doesn't fit the state it is in, or a key is taken.
    case conflict
    /// What was given isn't what a task needs.
    case invalid
    /// Who asks may not.
    case forbidden
    /// Somebody else has it now: the lease is over.
    case staleLease = "stale_lease"
    /// The agent is starting or ending; trying again soon helps.
    case notReady = "not_ready"
    /// It didn't end within the time that was to be waited.
    case timedOut = "timed_out"
  }

  /// What kind of obstacle it is.
  public let code: Code
  /// A sentence for the person who asked.
  public let message: String
  /// The message.
  public var description: String { message }

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static let starting = TaskError(
    .notReady, "The agent is starting or ending; try again in a moment.")

  package static func unknown(_ id: Int64) -> TaskError {
    TaskError(.missing, "There is no task \(id). \"agent task list\" shows them.")
  }
}
