/// Why a text isn't a JSON pointer.
public struct JSONPointerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case missingSlash, invalidEscape
  }

  /// What is wrong, for programs.
  public let code: Code
  /// The text that was to be a pointer.
  public let text: String
  /// What is wrong and what to do, in a sentence.
  public let message: String

  /// The message.
  public var description: String { message }
}
