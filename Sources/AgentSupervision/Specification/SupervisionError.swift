/// Why a request to a supervisor failed.
public struct SupervisionError: Error, Equatable, CustomStringConvertible {
  public var code: Code
  /// A sentence for the person who must act.
  public var message: String
  public var cause: SpawnError?

  /// The kinds of error.
  public enum Code: String, Sendable {
    /// No child has this name.
    case unknownChild
    /// A child has this name already.
    case duplicateChild
    /// The replacement didn't get ready. The old process continues.
    case replacementFailed
    /// Another replacement of this child is in progress.
    case busy
    /// A later request wanted the opposite.
    case overtaken
    /// The time limit was exceeded.
    case deadlinePassed
    /// The supervisor is shutting down.
    case shuttingDown
    /// A system call failed.
    case system
  }

  /// The message.
  public var description: String { message }

  init(_ code: Code, _ message: String, cause: SpawnError? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }
}
