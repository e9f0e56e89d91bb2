/// The error of a request, as in an ERROR frame.
public struct WorkerError: Error, Sendable, Equatable, CustomStringConvertible {
  public var code: StatusCode
  /// A sentence for the person who must act.
  public var message: String
  /// The underlying error, if there is one.
  public var cause: String?

  /// Creates an error.
  public init(_ code: StatusCode, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message with its cause.
  public var description: String {
    cause.map { "\(message) (\($0))" } ?? message
  }
}
