/// Why a value can't be published as an event.
public struct EventError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of obstacle it is.
  public enum Code: Sendable, Hashable {
    /// The value isn't an event.
    case invalid
    /// It could not be stored; it may be published again.
    case storage
    /// It is the host's own.
    case reserved
  }

  /// What kind of obstacle it is.
  public let code: Code
  /// A sentence for the module's author.
  public let message: String
  public var description: String { message }

  init(_ code: Code = .invalid, message: String) {
    self.code = code
    self.message = message
  }
}
