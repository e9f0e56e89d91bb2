/// The error of a change that a document doesn't allow.
public struct JSONEditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is nothing at the pointer.
    case notFound
    /// The pointer leads through a scalar instead of an array or object.
    case notAContainer
    /// An array has no such index.
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
  /// Sentences that say what is wrong and what to do.
  public let message: String

  /// The message.
  public var description: String { message }
}
