/// The error of a change that a document doesn't allow.
public struct JSONEditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// No value is at the pointer.
    case notFound
    /// The pointer leads through a value that is neither an array nor an object.
    case notAContainer
    /// The array has no such index.
    case badIndex
    /// The root can't be removed.
    case rootRemoval
    /// The change would make the document too deep or too long.
    case limit
  }

  /// The kind of error, for programs.
  public let code: Code
  /// The pointer of the attempted change.
  public let pointer: JSONPointer
  /// A message with the problem and its remedy.
  public let message: String

  /// The same as ``message``.
  public var description: String { message }
}
