import ECMARegex

extension ASCIISet {
  /// Creates the set of these characters, which must be ASCII.
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

  /// Returns whether the set contains a byte of any value.
  @inline(__always)
  func admits(_ byte: UInt8) -> Bool { byte < 128 && contains(byte) }

  static let alphanumeric = ASCIISet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
}
