extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let backslash = UInt8(ascii: "\\")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let minus = UInt8(ascii: "-")
  static let point = UInt8(ascii: ".")
  static let zero = UInt8(ascii: "0")

  var isDigit: Bool { self &- .zero < 10 }

  /// `e` or `E`.
  var isExponentMark: Bool { self | 0x20 == UInt8(ascii: "e") }

  /// Whether this is a letter, a digit, `_`, `-`, `+` or `.`. Messages quote misspelled words and
  /// numbers up to the first other byte.
  var isWordByte: Bool {
    isDigit || (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_")
      || self == .minus || self == UInt8(ascii: "+") || self == .point
  }

  /// The four bytes that RFC 8259 calls whitespace.
  var isJSONSpace: Bool {
    self == .space || self == .lineFeed || self == .carriageReturn || self == .tab
  }

  /// The value of a hexadecimal digit, or nil.
  var hexadecimalValue: UInt32? {
    if isDigit { return UInt32(self &- .zero) }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? UInt32(letter) + 10 : nil
  }
}
