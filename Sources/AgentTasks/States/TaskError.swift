internal import AgentText

/// The refusal of a request about a task.
public struct TaskError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: String, Sendable {
    /// There is nothing with this number or name.
    case missing
    /// The state doesn't allow the request, or a unique key is in use.
    case conflict
    /// The request or its data is invalid.
    case invalid
    /// The authority of the caller doesn't allow the request.
    case forbidden
    /// The lease has ended. The task may belong to another attempt.
    case staleLease = "stale_lease"
    /// The agent is starting or ending. A later request may succeed.
    case notReady = "not_ready"
    /// The task didn't end within the time that the request allows.
    case timedOut = "timed_out"
  }

  /// The kind of error.
  public let code: Code
  /// A sentence for the person who made the request.
  public let message: String
  public var description: String { message }

  /// Creates an error of what is wrong with a request: the first ten problems, and how many more there
  /// are. A body of megabytes may have thousands.
  static func invalid(_ problems: [String]) -> TaskError {
    let most = 10
    let more = problems.count > most ? ["And \(problems.count - most) more."] : []
    let shown = problems.prefix(most).map { $0.cut(toBytes: 1_000) }
    return TaskError(.invalid, (shown + more).joined(separator: " "))
  }

  /// Creates an error.
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
