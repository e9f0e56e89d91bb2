/// Why a request wasn't met, as it travels in ERROR.
public struct WorkerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it is.
  public var code: StatusCode
  /// A sentence for the person who must act.
  public var message: String
  /// What lies beneath, where something does.
  public var cause: String?

  /// Makes an error.
  public init(_ code: StatusCode, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, with its cause.
  public var description: String {
    cause.map { "\(message) (\($0))" } ?? message
  }
}
