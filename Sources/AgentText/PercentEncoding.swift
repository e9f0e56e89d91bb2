/// Percent-encoding in URLs (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Encodes all bytes except the unreserved ones: letters, digits, `-`, `.`, `_` and `~`.
  /// - Parameter kept: further ASCII characters that are left as they are.
  package static func encoded(_ text: String, keeping kept: String = "") -> String {
    var encoded = ""
    for byte in text.utf8 {
      if byte.isUnreserved || kept.utf8.contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return encoded
  }

  /// Decodes a text. Invalid UTF-8 becomes U+FFFD, and a malformed escape stays as it is.
  /// - Parameter plusIsBlank: whether a plus sign is a blank, as in query strings. In paths it
  ///   isn't.
  package static func decoded(_ text: some StringProtocol, plusIsBlank: Bool = false) -> String {
    String(decoding: bytes(of: text, plusIsBlank: plusIsBlank).bytes, as: UTF8.self)
  }

  /// Decodes a text. Returns nil if a percent sign lacks its two hexadecimal digits, or if the
  /// result isn't UTF-8.
  package static func strict(_ text: some StringProtocol, plusIsBlank: Bool = false) -> String? {
    let (bytes, isWellFormed) = bytes(of: text, plusIsBlank: plusIsBlank)
    return isWellFormed ? String(validating: bytes, as: UTF8.self) : nil
  }

  private static func bytes(
    of text: some StringProtocol, plusIsBlank: Bool
  ) -> (bytes: [UInt8], isWellFormed: Bool) {
    var bytes: [UInt8] = []
    var isWellFormed = true
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      // `UInt8(_:radix:)` isn't used, because it accepts a sign.
      guard let high = rest.first?.hexDigit, let low = rest.dropFirst().first?.hexDigit else {
        isWellFormed = false
        bytes.append(byte)
        continue
      }
      bytes.append(high << 4 | low)
      rest = rest.dropFirst(2)
    }
    return (bytes, isWellFormed)
  }
}
