/// Hexadecimal digits, in lower case only.
package enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Returns the 16 digits of a number.
  package static func text(_ value: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { bytes in
      for place in 0..<16 {
        bytes[place] = digits[Int(truncatingIfNeeded: value >> (60 - 4 * UInt64(place))) & 15]
      }
      return 16
    }
  }

  /// Returns two digits for each byte.
  package static func text(of bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Returns the number of at most 16 digits. Nil if something isn't a digit.
  package static func value(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for byte in digits {
      guard let digit = digit(byte) else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return value
  }

  /// Returns the byte of each pair of digits. Nil if something isn't one.
  package static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.popFirst() {
      guard let high = digit(first), let low = rest.popFirst().flatMap(digit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
