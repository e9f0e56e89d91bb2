/// Why a document can't be changed as asked.
public struct JSONEditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is nothing at the pointer.
    case notFound
    /// A scalar is where an array or object would have to be.
    case notAContainer
    /// An array has no such index.
    case badIndex
    /// The root can't be removed.
    case rootRemoval
    /// The change would make the document too deep or too long.
    case limit
  }

  /// What is wrong, for programs.
  public let code: Code
  /// The place that was to be changed.
  public let pointer: JSONPointer
  /// What is wrong and what to do, in sentences.
  public let message: String

  /// The message.
  public var description: String { message }
}
