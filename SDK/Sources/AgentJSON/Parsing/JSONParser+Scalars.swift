extension JSONParser {
  // MARK: Strings

  /// Reads a string, whose opening quote is at `offset`.
  @inline(never)
  mutating func readString(_ bytes: Span<UInt8>) throws(JSONParseError) {
    let start = offset
    var index = start + 1
    var hasEscapes = false
    while index < bytes.count {
      let byte = bytes[index]
      if byte == .quote {
        append(.string, start: start, end: index + 1, mark: hasEscapes)
        return
      }
      if byte == .backslash {
        hasEscapes = true
        index = try afterEscape(bytes, at: index, string: start)
      } else if byte >= 0x80 {
        index = try afterMultibyte(bytes, at: index)
      } else if byte >= 0x20 {
        index += 1
      } else {
        throw controlCharacter(bytes, at: index, string: start)
      }
    }
    throw unclosedString(bytes, at: start)
  }

  private func afterEscape(_ bytes: Span<UInt8>, at index: Int, string start: Int)
    throws(JSONParseError) -> Int
  {
    guard index + 1 < bytes.count else { throw unclosedString(bytes, at: start) }
    let length = bytes.lengthOfEscape(at: index)
    if length > 0 { return index + length }
    if bytes[index + 1] == UInt8(ascii: "u"), bytes.hexadecimal(at: index + 2) != nil {
      throw loneSurrogate(bytes, at: index)
    }
    throw invalidEscape(bytes, at: index)
  }

  /// Checks one multi-byte sequence by table 3-7 of the Unicode standard.
  private func afterMultibyte(_ bytes: Span<UInt8>, at index: Int) throws(JSONParseError) -> Int {
    let length = bytes.lengthOfUTF8(at: index)
    guard length > 0 else { throw invalidUTF8(bytes, at: index) }
    return index + length
  }

  // MARK: Numbers

  /// Reads a number, whose first digit or minus is at `offset`.
  @inline(never)
  mutating func readNumber(_ bytes: Span<UInt8>) throws(JSONParseError) {
    let start = offset
    var index = start
    var isDecimal = false
    if bytes[index] == .minus { index += 1 }
    guard bytes.isDigit(at: index) else { throw invalidNumber(bytes, at: start) }
    index = bytes[index] == .zero ? index + 1 : bytes.afterDigits(from: index)
    if bytes.holds(.point, at: index) {
      isDecimal = true
      guard bytes.isDigit(at: index + 1) else { throw invalidNumber(bytes, at: start) }
      index = bytes.afterDigits(from: index + 1)
    }
    if index < bytes.count, bytes[index].isExponentMark {
      isDecimal = true
      index += 1
      if bytes.holds(.minus, at: index) || bytes.holds(UInt8(ascii: "+"), at: index) { index += 1 }
      guard bytes.isDigit(at: index) else { throw invalidNumber(bytes, at: start) }
      index = bytes.afterDigits(from: index)
    }
    if index < bytes.count, bytes[index].isWordByte { throw invalidNumber(bytes, at: start) }
    append(.number, start: start, end: index, mark: isDecimal)
  }
}

extension Span<UInt8> {
  fileprivate func isDigit(at index: Int) -> Bool {
    index < count && self[index].isDigit
  }

  fileprivate func afterDigits(from start: Int) -> Int {
    var index = start
    while index < count, self[index].isDigit { index += 1 }
    return index
  }

  /// Returns the length of the escape at `index`, with both halves of a surrogate pair, or 0 if it
  /// is invalid.
  func lengthOfEscape(at index: Int) -> Int {
    guard index + 1 < count else { return 0 }
    switch self[index + 1] {
    case .quote, .backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      return lengthOfUnicodeEscape(at: index)
    default:
      return 0
    }
  }

  private func lengthOfUnicodeEscape(at index: Int) -> Int {
    guard let code = hexadecimal(at: index + 2) else { return 0 }
    guard code & 0xF800 == 0xD800 else { return 6 }
    let after = index + 6
    guard code < 0xDC00, holds(.backslash, at: after), holds(UInt8(ascii: "u"), at: after + 1),
      let low = hexadecimal(at: after + 2), low & 0xFC00 == 0xDC00
    else { return 0 }
    return 12
  }

  /// Returns the length of the well-formed multi-byte sequence at `index`, or 0 if there is none.
  func lengthOfUTF8(at index: Int) -> Int {
    let lead = self[index]
    let second: ClosedRange<UInt8>
    let length: Int
    switch lead {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE, 0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard index + length <= count, second.contains(self[index + 1]) else { return 0 }
    for position in index + 2..<index + length where self[position] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
