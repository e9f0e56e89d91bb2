import ECMARegex

extension ASCIISet {
  /// These characters, none of which is beyond ASCII.
  init(_ text: StaticString) {
    self.init()
    text.withUTF8Buffer { bytes in
      for byte in bytes where byte < 128 { set(byte, true) }
    }
  }

  func union(_ other: ASCIISet) -> ASCIISet {
    var both = self
    for byte in UInt8(0)..<128 where other.contains(byte) { both.set(byte, true) }
    return both
  }

  /// Whether a byte, which may be any, belongs to the set.
  @inline(__always)
  func admits(_ byte: UInt8) -> Bool { byte < 128 && contains(byte) }

  static let alphanumeric = ASCIISet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
}
