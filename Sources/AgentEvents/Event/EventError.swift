/// Why a call of the event bus failed.
public struct EventError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of the error.
  public enum Code: Sendable, Hashable {
    /// The value isn't a valid event.
    case invalid
    /// The event couldn't be stored. It may be published again.
    case storage
    /// The consumer is the host's own.
    case reserved
  }

  public let code: Code
  /// A sentence for the module's author.
  public let message: String
  public var description: String { message }

  init(_ code: Code = .invalid, message: String) {
    self.code = code
    self.message = message
  }
}
