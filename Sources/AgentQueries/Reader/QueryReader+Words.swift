/// Parses names, numbers and quoted texts.
extension QueryReader {
  private static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      true
    default: byte >= 0x80
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }

  var isAtName: Bool {
    !isAtEnd && Self.isNameStart(byte()) && blankLength(at: index) == nil
  }

  /// Parses a name of an expression: letters, digits, `_`, and dots between them. Returns nil if
  /// there is none.
  mutating func name() -> String? {
    guard isAtName else { return nil }
    let start = index
    while !isAtEnd {
      let isDotInside = byte() == UInt8(ascii: ".") && Self.isNamePart(byte(1))
      guard Self.isNamePart(byte()) || isDotInside else { break }
      guard blankLength(at: index) == nil else { break }
      index += 1
    }
    return String(decoding: text.bytes[start..<index], as: UTF8.self)
  }

  /// Returns whether the word `keyword` follows, and not only the start of a longer one.
  func isAt(keyword: StaticString) -> Bool {
    isAt(keyword) && !Self.isNamePart(byte(keyword.utf8CodeUnitCount))
      && byte(keyword.utf8CodeUnitCount) != UInt8(ascii: ".")
  }

  mutating func take(keyword: StaticString) -> Bool {
    guard isAt(keyword: keyword) else { return false }
    index += keyword.utf8CodeUnitCount
    return true
  }

  /// Parses a text from its single or double quote on. `\` keeps the next character. In expressions
  /// `\n`, `\r` and `\t` have their usual meaning. In filters they stand for the letter.
  mutating func quoted(withEscapes: Bool = false) throws(QueryError) -> String {
    let start = index
    let quote = byte()
    index += 1
    var value: [UInt8] = []
    while !isAtEnd {
      let byte = self.byte()
      index += 1
      if byte == quote { return String(decoding: value, as: UTF8.self) }
      if byte == UInt8(ascii: "\\"), !isAtEnd {
        value.append(withEscapes ? Self.escaped(self.byte()) : self.byte())
        index += 1
      } else {
        value.append(byte)
      }
    }
    throw fail(
      .syntax, "the quote isn't closed.", at: QueryRange(start: start, end: text.bytes.count))
  }

  private static func escaped(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: byte
    }
  }

  var isAtQuote: Bool { byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'") }

  /// Parses the digits, fraction and exponent of a number from its first digit on.
  mutating func numberText() -> String {
    let start = index
    skipDigits()
    if byte() == UInt8(ascii: "."), Self.isDigit(byte(1)) {
      index += 1
      skipDigits()
    }
    if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
      let sign = byte(1) == UInt8(ascii: "-") || byte(1) == UInt8(ascii: "+") ? 1 : 0
      if Self.isDigit(byte(1 + sign)) {
        index += 1 + sign
        skipDigits()
      }
    }
    return String(decoding: text.bytes[start..<index], as: UTF8.self)
  }

  private mutating func skipDigits() {
    while Self.isDigit(byte()) { index += 1 }
  }

  /// Parses an integer from its first digit on.
  mutating func integer(_ what: String) throws(QueryError) -> Int {
    let start = index
    let digits = numberText()
    guard let value = Int(digits) else {
      throw fail(.type, "\(what) is a whole number; found \(digits).", at: range(from: start))
    }
    return value
  }
}
