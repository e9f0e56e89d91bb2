/// Decodes percent-encoded text of URLs.
enum PercentEncoding {
  /// Decodes a text. Invalid UTF-8 becomes U+FFFD. The request pipeline has refused malformed
  /// texts.
  /// - Parameter plusIsBlank: whether a plus sign is a blank, as in query strings. In paths it
  ///   isn't.
  static func decoded(_ text: Substring, plusIsBlank: Bool) -> String {
    String(decoding: bytes(of: text, plusIsBlank: plusIsBlank).bytes, as: UTF8.self)
  }

  /// Decodes a text. Returns nil if a percent sign lacks its two hexadecimal digits, or if the
  /// result isn't UTF-8.
  static func strict(_ text: Substring, plusIsBlank: Bool) -> String? {
    let (bytes, isWellFormed) = bytes(of: text, plusIsBlank: plusIsBlank)
    return isWellFormed ? String(validating: bytes, as: UTF8.self) : nil
  }

  private static func bytes(
    of text: Substring, plusIsBlank: Bool
  ) -> (bytes: [UInt8], isWellFormed: Bool) {
    var bytes: [UInt8] = []
    var isWellFormed = true
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      guard let high = rest.first.flatMap(digit), let low = rest.dropFirst().first.flatMap(digit)
      else {
        isWellFormed = false
        bytes.append(byte)
        continue
      }
      bytes.append(high << 4 | low)
      rest = rest.dropFirst(2)
    }
    return (bytes, isWellFormed)
  }

  /// `UInt8(_:radix:)` isn't used, because it accepts a sign.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
