import AgentText
import ECMARegex

/// Reads a text from its first byte to its last one. `at` is the index of the next byte.
extension Span<UInt8> {
  /// Returns the byte at an index. After the end it is 0, which no format allows.
  @inline(__always)
  func byte(_ at: Int) -> UInt8 { at < count ? self[at] : 0 }

  /// Returns whether the byte at an index is this ASCII character.
  @inline(__always)
  func has(_ scalar: Unicode.Scalar, _ at: Int) -> Bool { byte(at) == UInt8(ascii: scalar) }

  /// Returns the fault for an index where another byte was expected.
  func misfit(_ at: Int) -> FormatFault { at < count ? .unexpected(at: at) : .endsEarly }

  @inline(__always)
  func skip(_ scalar: Unicode.Scalar, _ at: inout Int) throws(FormatFault) {
    guard has(scalar, at) else { throw misfit(at) }
    at += 1
  }

  func end(_ at: Int) throws(FormatFault) {
    guard at == count else { throw .trailing(at: at) }
  }

  /// Reads a number with a fixed, small number of digits.
  @inline(__always)
  func number(digits: Int, _ at: inout Int) throws(FormatFault) -> Int {
    var value = 0
    for _ in 0..<digits {
      let byte = byte(at)
      guard byte.isASCIIDigit else { throw misfit(at) }
      value = value &* 10 &+ Int(byte &- UInt8(ascii: "0"))
      at += 1
    }
    return value
  }

  /// Skips one or more digits.
  func skipDigits(_ at: inout Int) throws(FormatFault) {
    guard byte(at).isASCIIDigit else { throw misfit(at) }
    while byte(at).isASCIIDigit { at += 1 }
  }

  /// Skips all consecutive characters of the set.
  @inline(__always)
  func skipAll(_ set: ASCIISet, _ at: inout Int) {
    while at < count, set.admits(self[at]) { at += 1 }
  }

  /// Skips a `%` and its two hexadecimal digits.
  func skipEscape(_ at: inout Int) throws(FormatFault) {
    guard byte(at + 1).isHexDigit, byte(at + 2).isHexDigit else {
      throw .escape(at: at)
    }
    at += 3
  }

  /// Reads the scalar at an index. Returns `nil` if the bytes aren't UTF-8.
  func scalar(_ at: inout Int) -> Unicode.Scalar? {
    let first = byte(at)
    let length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard length > 0, at + length <= count else { return nil }
    var value = UInt32(length == 1 ? first : first & (0xFF >> UInt8(length + 1)))
    for place in at + 1..<at + length {
      guard self[place] & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(self[place] & 0x3F)
    }
    // An overlong form is invalid: such a value has a shorter one.
    guard length < 3 || value >= (length == 3 ? 0x800 : 0x10000) else { return nil }
    at += length
    return Unicode.Scalar(value)
  }

  /// Returns all scalars, or `nil` if the bytes aren't UTF-8.
  func scalars() -> [Unicode.Scalar]? {
    var scalars: [Unicode.Scalar] = []
    var at = 0
    while at < count {
      guard let scalar = scalar(&at) else { return nil }
      scalars.append(scalar)
    }
    return scalars
  }
}
