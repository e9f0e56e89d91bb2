/// The error of a request to a supervisor.
public struct SupervisionError: Error, Equatable, CustomStringConvertible {
  /// Which kind of error it is.
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
    /// The replacement didn't get ready; the old process keeps running.
    case replacementFailed
    /// Another replacement of this child is under way.
    case busy
    /// Somebody asked for the opposite meanwhile.
    case overtaken
    /// It took longer than it may.
    case deadlinePassed
    /// The supervisor shuts down.
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
