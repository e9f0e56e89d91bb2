extension UInt8 {
  var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }
  var isASCIILetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
  var isHexDigit: Bool { isASCIIDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }
  var isASCIIAlphanumeric: Bool { isASCIIDigit || isASCIILetter }

  /// The same letter in lower case; anything else as it is.
  var lowercased: UInt8 { isASCIILetter ? self | 0x20 : self }

  /// The value of a hexadecimal digit; nil for anything else.
  var hexDigit: UInt8? {
    if isASCIIDigit { return self - UInt8(ascii: "0") }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }
}
