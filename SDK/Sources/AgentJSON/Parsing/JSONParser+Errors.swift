/// The messages about structure. Each contains the problem and its remedy.
extension JSONParser {
  func error(
    _ code: JSONParseError.Code, in bytes: Span<UInt8>, at index: Int, message: String
  ) -> JSONParseError {
    JSONParseError(code: code, message: message, place: JSONPlace(offset: index, in: bytes))
  }

  func tooLarge(_ bytes: Span<UInt8>) -> JSONParseError {
    error(
      .tooLarge, in: bytes, at: 0,
      message:
        "The document has \(bytes.count) bytes; the limit is \(limits.maxBytes). Make it smaller."
    )
  }

  func byteOrderMark(_ bytes: Span<UInt8>) -> JSONParseError {
    error(
      .byteOrderMark, in: bytes, at: 0,
      message: "The document starts with a byte order mark. Save it as UTF-8 without one.")
  }

  func tooDeep(_ bytes: Span<UInt8>) -> JSONParseError {
    error(
      .tooDeep, in: bytes, at: offset,
      message: "More than \(limits.maxDepth) arrays and objects are inside one another. "
        + "Nest them less deeply.")
  }

  func unexpectedEnd(_ bytes: Span<UInt8>) -> JSONParseError {
    guard let container else {
      return error(
        .emptyDocument, in: bytes, at: bytes.count,
        message: "The document is empty. Write a JSON value, such as {}.")
    }
    let place = JSONPlace(offset: Int(container.start), in: bytes)
    let closing = container.kind == .object ? "}" : "]"
    return error(
      .unexpectedEnd, in: bytes, at: bytes.count,
      message:
        "The document ends inside \(container.kind.phrase) that starts at line \(place.line), "
        + "column \(place.column). Complete it and add the missing \"\(closing)\".")
  }

  func trailingBytes(_ bytes: Span<UInt8>) -> JSONParseError {
    if let comment = comment(bytes) { return comment }
    return error(
      .trailingBytes, in: bytes, at: offset,
      message: "After the end of the document comes \(found(bytes)). Remove it; "
        + "a document is one value.")
  }

  func trailingComma(_ bytes: Span<UInt8>, at comma: Int) -> JSONParseError {
    let closing = container?.kind == .object ? "}" : "]"
    return error(
      .trailingComma, in: bytes, at: comma,
      message: "No comma may stand before \"\(closing)\". Remove it.")
  }

  func noComma(_ bytes: Span<UInt8>, isObject: Bool) -> JSONParseError {
    if let comment = comment(bytes) { return comment }
    let name = isObject ? "member" : "element"
    let (closing, other) = isObject ? ("}", "]") : ("]", "}")
    if other.utf8.first == bytes[offset] {
      return error(
        .unexpectedCharacter, in: bytes, at: offset,
        message: "Found \"\(other)\" where \"\(closing)\" or another \(name) was expected. "
          + "Close \(isObject ? "the object" : "the array") first.")
    }
    return error(
      .missingComma, in: bytes, at: offset,
      message: "After this \(name) comes \(found(bytes)). Put a comma between them, or close with "
        + "\"\(closing)\".")
  }

  func noColon(_ bytes: Span<UInt8>) -> JSONParseError {
    if let comment = comment(bytes) { return comment }
    return error(
      .missingColon, in: bytes, at: offset,
      message: "After a key comes \(found(bytes)). Put a colon and the value after the key.")
  }

  func noKey(_ bytes: Span<UInt8>, after previous: UInt8?) -> JSONParseError {
    if let error = comment(bytes) ?? wrongQuotes(bytes) { return error }
    if previous == .comma, bytes[offset] == .comma { return doubleComma(bytes) }
    let hint = bytes[offset].isWordByte ? "Write \"\(word(bytes))\"." : "Write \"key\": value."
    return error(
      .invalidKey, in: bytes, at: offset,
      message: "A key must be a string in double quotes, not \(found(bytes)). \(hint)")
  }

  func noValue(_ bytes: Span<UInt8>, after previous: UInt8?) -> JSONParseError {
    if let error = comment(bytes) ?? wrongQuotes(bytes) { return error }
    let byte = bytes[offset]
    if byte.isWordByte { return badWord(bytes) }
    if previous == .comma, byte == .comma { return doubleComma(bytes) }
    if [.comma, .closeBrace, .closeBracket, .colon].contains(byte) {
      return error(
        .missingValue, in: bytes, at: offset,
        message: "A value is missing before \(found(bytes)). Write one, or null.")
    }
    return error(
      .unexpectedCharacter, in: bytes, at: offset,
      message:
        "No JSON value starts with \(found(bytes)). Write a string, a number, true, false, null, "
        + "an array or an object.")
  }

  private func wrongQuotes(_ bytes: Span<UInt8>) -> JSONParseError? {
    let mark = found(bytes)
    guard ["\"'\"", "\"`\"", "\"\u{201C}\"", "\"\u{201D}\"", "\"\u{2018}\""].contains(mark) else {
      return nil
    }
    return error(
      .unexpectedCharacter, in: bytes, at: offset,
      message:
        "Strings and keys stand between straight double quotes, not \(mark). Replace both with \".")
  }

  private func doubleComma(_ bytes: Span<UInt8>) -> JSONParseError {
    error(
      .missingValue, in: bytes, at: offset,
      message: "Two commas follow one another. Remove one of them.")
  }

  private func badWord(_ bytes: Span<UInt8>) -> JSONParseError {
    let word = word(bytes)
    if ["+", "."].contains(word.prefix(1)) { return invalidNumber(bytes, at: offset) }
    let hint =
      switch word.lowercased() {
      case "true", "yes", "on": "Write true."
      case "false", "no", "off": "Write false."
      case "null", "none", "nil", "undefined", "nan", "infinity", "inf": "Write null."
      default: "Write \"\(word)\" if it is a string."
      }
    return error(
      .invalidLiteral, in: bytes, at: offset, message: "\(word) isn't a JSON value. \(hint)")
  }

  private func comment(_ bytes: Span<UInt8>) -> JSONParseError? {
    let isSlash = bytes.holds(UInt8(ascii: "/"), at: offset)
    guard isSlash || bytes.holds(UInt8(ascii: "#"), at: offset) else { return nil }
    return error(.comment, in: bytes, at: offset, message: "JSON has no comments. Remove this one.")
  }
}

// MARK: Quoting

extension JSONParser {
  /// Returns the text at `index` in quotes, for a message.
  func found(_ bytes: Span<UInt8>, at index: Int? = nil) -> String {
    let index = index ?? offset
    let byte = bytes[index]
    if byte.isWordByte { return "\"\(word(bytes, at: index))\"" }
    if byte == .quote { return "a string" }
    if byte > .space, byte < 0x7F { return "\"\(Unicode.Scalar(byte))\"" }
    let length = byte < 0x80 ? 0 : bytes.lengthOfUTF8(at: index)
    guard length > 0 else { return "the byte 0x\(JSONParser.hexadecimal(byte, width: 2))" }
    var character: [UInt8] = []
    for position in index..<index + length { character.append(bytes[position]) }
    return "\"\(String(decoding: character, as: UTF8.self))\""
  }

  /// Returns the word or number at `index`, shortened for a message.
  func word(_ bytes: Span<UInt8>, at index: Int? = nil) -> String {
    let start = index ?? offset
    var end = start
    while end < bytes.count, bytes[end].isWordByte, end - start < 40 { end += 1 }
    var word: [UInt8] = []
    for position in start..<end { word.append(bytes[position]) }
    return String(decoding: word, as: UTF8.self)
  }

  static func hexadecimal(_ byte: UInt8, width: Int) -> String {
    let digits = String(byte, radix: 16)
    return String(repeating: "0", count: max(width - digits.utf8.count, 0)) + digits
  }
}
