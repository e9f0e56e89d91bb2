/// The messages about strings and numbers. Each contains the problem and its remedy.
extension JSONParser {
  func invalidNumber(_ bytes: Span<UInt8>, at start: Int) -> JSONParseError {
    let word = word(bytes, at: start)
    let digits = word.first == "-" ? word.dropFirst() : word[...]
    let hint =
      if word == "-Infinity" || word == "-inf" {
        "JSON has no infinities: write null."
      } else if word.first == "+" {
        "Remove the plus sign."
      } else if digits.isEmpty {
        "Write digits after the minus sign."
      } else if digits.last == "." {
        "Write a digit after the point, or remove it."
      } else if digits.first == "." {
        "Write a digit before the point."
      } else if digits.first == "0", digits.dropFirst().first?.isWholeNumber == true {
        "Remove the leading zeros, or quote it if it is a string."
      } else {
        "Write digits, a point and digits, an exponent; or quote it if it is a string."
      }
    return error(
      .invalidNumber, in: bytes, at: start, message: "\(word) isn't a JSON number. \(hint)")
  }

  func unclosedString(_ bytes: Span<UInt8>, at start: Int) -> JSONParseError {
    error(
      .unexpectedEnd, in: bytes, at: start,
      message: "This string doesn't end. Add the missing double quote.")
  }

  func controlCharacter(
    _ bytes: Span<UInt8>, at index: Int, string start: Int
  ) -> JSONParseError {
    let byte = bytes[index]
    if byte == .lineFeed || byte == .carriageReturn {
      return error(
        .controlCharacter, in: bytes, at: index,
        message:
          "A string ends on the line on which it starts. Add the missing double quote, or write "
          + "\\n for a line break.")
    }
    let escape = byte == .tab ? "\\t" : "\\u\(JSONParser.hexadecimal(byte, width: 4))"
    return error(
      .controlCharacter, in: bytes, at: index,
      message: "A string can't hold a control character. Write \(escape) instead.")
  }

  func invalidEscape(_ bytes: Span<UInt8>, at index: Int) -> JSONParseError {
    if bytes[index + 1] == UInt8(ascii: "u") {
      return error(
        .invalidEscape, in: bytes, at: index,
        message: "\\u must be followed by four hexadecimal digits. Complete them, or write \\\\u.")
    }
    let hint =
      bytes[index + 1] == UInt8(ascii: "'") ? "Write ' alone." : "Write \\\\ for a backslash."
    return error(
      .invalidEscape, in: bytes, at: index,
      message: "A backslash can't be followed by \(found(bytes, at: index + 1)). \(hint)")
  }

  func loneSurrogate(_ bytes: Span<UInt8>, at index: Int) -> JSONParseError {
    error(
      .loneSurrogate, in: bytes, at: index,
      message:
        "This \\u escape is half of a surrogate pair and denotes no character. Write both halves, "
        + "or the character itself.")
  }

  func invalidUTF8(_ bytes: Span<UInt8>, at index: Int) -> JSONParseError {
    error(
      .invalidUTF8, in: bytes, at: index,
      message: "The byte 0x\(JSONParser.hexadecimal(bytes[index], width: 2)) isn't UTF-8 here. "
        + "Save the document as UTF-8.")
  }
}
