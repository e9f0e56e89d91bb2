/// Numbers as the trace context writes them: lower case only.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ value: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { bytes in
      for place in 0..<16 {
        bytes[place] = digits[Int(truncatingIfNeeded: value >> (60 - 4 * UInt64(place))) & 15]
      }
      return 16
    }
  }

  /// The number of at most 16 digits; nil when something isn't one.
  static func value(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        value = value << 4 | UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"):
        value = value << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    return value
  }
}
