/// The error of a failed operation: in a module, or of a request to the host.
///
/// Throw one from your own code to choose the code that the host sees. Any other error that leaves
/// a contribution is reported as ``Code/failed`` with its description.
public struct ModuleError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; the numbers are those of `agent_status`.
  public enum Code: Int32, Sendable, CaseIterable {
    /// The input doesn't match the declared schema.
    case invalidArgument = 1
    /// The contribution can't work with these settings.
    case invalidSettings = 2
    /// The operation failed.
    case failed = 3
    /// The host asked for the operation to be cancelled.
    case cancelled = 4
    /// This side doesn't offer that.
    case unsupported = 5
    /// The deadline passed before there was a result.
    case deadlineExceeded = 6
    /// A queue is full or there is no credit: wait, then try again.
    case overloaded = 7
    /// The other side is stopping or gone.
    case closed = 8
    /// The current state isn't the expected one: read it again, then decide.
    case conflict = 9
  }

  /// The kind of failure.
  public var code: Code
  /// A sentence for the person who must act.
  public var message: String
  /// The underlying error.
  public var cause: (any Error)?

  /// Makes an error with a sentence for the person who must act.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, followed by the cause if there is one.
  public var description: String {
    guard let cause else { return message }
    return "\(message) (\(cause))"
  }
}
