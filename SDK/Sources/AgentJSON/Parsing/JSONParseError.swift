/// The reason why a text isn't JSON, with its place and remedy.
public struct JSONParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case emptyDocument, unexpectedEnd, unexpectedCharacter, trailingBytes, byteOrderMark
    case trailingComma, missingComma, missingColon, missingValue, invalidKey, comment
    case invalidLiteral, invalidNumber
    case invalidEscape, controlCharacter, loneSurrogate, invalidUTF8
    case duplicateKey, tooDeep, tooLarge
  }

  /// The kind of error, for programs.
  public let code: Code
  /// A message with the problem and its remedy, for the person who wrote the text.
  public let message: String
  /// The place of the error.
  public let place: JSONPlace

  /// Creates an error at `place`.
  public init(code: Code, message: String, place: JSONPlace) {
    self.code = code
    self.message = message
    self.place = place
  }

  /// The text in the form `LINE:COLUMN: MESSAGE`, which may follow a file's name and a colon.
  public var description: String { "\(place): \(message)" }
}
