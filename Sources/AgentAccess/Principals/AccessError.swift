/// Why a request is refused or fails.
public struct AccessError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public enum Code: String, Sendable {
    /// The request has no valid token.
    case unauthenticated
    /// The principal lacks the right.
    case forbidden
    /// The request has an invalid value.
    case invalid
    /// The named thing doesn't exist.
    case missing
    /// The named thing exists already, or the state doesn't allow the change.
    case conflict
    /// There are too many requests. The client may try again later.
    case busy
    /// The database isn't open, so no principal is known.
    case notReady
  }

  public let code: Code
  /// A sentence for the person who must act.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
