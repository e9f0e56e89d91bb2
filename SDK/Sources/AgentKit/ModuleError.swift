/// Why something in a module, or something the host was asked for, did not work.
///
/// Throw one from your own code to choose the code that the host sees; any other error that leaves
/// a contribution is reported as ``Code/failed`` with its description.
public struct ModuleError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is; the numbers are those of `agent_status`.
  public enum Code: Int32, Sendable, CaseIterable {
    /// The input is not what the declared schema asks for.
    case invalidArgument = 1
    /// The contribution can't work with these settings.
    case invalidSettings = 2
    /// It was tried and did not work.
    case failed = 3
    /// It was given up because the host asked for it.
    case cancelled = 4
    /// This side doesn't offer that.
    case unsupported = 5
    /// The deadline passed before there was a result.
    case deadlineExceeded = 6
    /// A queue is full or there is no credit: wait, then try again.
    case overloaded = 7
    /// The other side is stopping or gone.
    case closed = 8
    /// It isn't what was expected: look again, then decide.
    case conflict = 9
  }

  /// What kind of failure it is.
  public var code: Code
  /// A sentence for the person who must act.
  public var message: String
  /// What led to it.
  public var cause: (any Error)?

  /// Makes an error with a sentence for the person who must act.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, and the cause where there is one.
  public var description: String {
    guard let cause else { return message }
    return "\(message) (\(cause))"
  }
}
