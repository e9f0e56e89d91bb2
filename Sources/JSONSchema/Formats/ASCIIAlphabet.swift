/// Some of the 128 ASCII characters; the test is one shift.
struct ASCIIAlphabet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// These characters, none of which is beyond ASCII.
  init(_ text: StaticString) {
    text.withUTF8Buffer { bytes in
      for byte in bytes { insert(byte) }
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    (byte < 64 ? low : byte < 128 ? high : 0) & (1 &<< UInt64(byte & 63)) != 0
  }

  func union(_ other: ASCIIAlphabet) -> ASCIIAlphabet {
    var both = self
    both.low |= other.low
    both.high |= other.high
    return both
  }

  private mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 &<< UInt64(byte) } else { high |= 1 &<< UInt64(byte & 63) }
  }

  static let alphanumeric = ASCIIAlphabet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
}
