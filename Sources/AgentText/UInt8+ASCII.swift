/// The classes of ASCII characters. Bytes from 128 on have none.
extension UInt8 {
  @inlinable package var isASCIIDigit: Bool { self &- 0x30 < 10 }
  @inlinable package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
  @inlinable package var isASCIIAlphanumeric: Bool {
    self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 26
  }
  /// Whether it is a hexadecimal digit, in upper or lower case.
  @inlinable package var isHexDigit: Bool { self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 6 }
  /// Whether a URL has it as it is: a letter, a digit or one of `-._~` (RFC 3986, section 2.3).
  @inlinable package var isUnreserved: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
    default: false
    }
  }

  /// The same letter in lower case. Anything else stays as it is.
  @inlinable package var lowercased: UInt8 {
    (self | 0x20) &- 0x61 < 26 ? self | 0x20 : self
  }

  /// The value of a hexadecimal digit. Nil for anything else.
  @inlinable package var hexDigit: UInt8? {
    if self &- 0x30 < 10 { return self - 0x30 }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter + 10 : nil
  }
}
