/// Why a text isn't JSON, where, and what to do about it.
public struct JSONParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case emptyDocument, unexpectedEnd, unexpectedCharacter, trailingBytes, byteOrderMark
    case trailingComma, missingComma, missingColon, missingValue, invalidKey, comment
    case invalidLiteral, invalidNumber
    case invalidEscape, controlCharacter, loneSurrogate, invalidUTF8
    case duplicateKey, tooDeep, tooLarge
  }

  /// What is wrong, for programs.
  public let code: Code
  /// What is wrong and what to do, in sentences for the person who wrote the text.
  public let message: String
  /// Where it is.
  public let place: JSONPlace

  /// An error found at `place`.
  public init(code: Code, message: String, place: JSONPlace) {
    self.code = code
    self.message = message
    self.place = place
  }

  /// `LINE:COLUMN: MESSAGE`, ready to follow a file's name and a colon.
  public var description: String { "\(place): \(message)" }
}
