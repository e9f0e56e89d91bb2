/// Why somebody was refused, or why something about access can't be done.
public struct AccessError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of obstacle it is.
  public enum Code: String, Sendable {
    /// There is no token, or none that counts.
    case unauthenticated
    /// They are known and may not.
    case forbidden
    /// What was asked doesn't make sense.
    case invalid
    /// What was asked for isn't there.
    case missing
    /// There is one already.
    case conflict
    /// Too much at a time: try again later.
    case busy
    /// The agent's database isn't open, so nobody is known.
    case notReady
  }

  /// What kind of obstacle it is.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The sentence.
  public var description: String { message }
}
