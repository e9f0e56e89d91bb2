/// Makes untrusted texts safe to display. The result doesn't move the cursor, doesn't change
/// earlier text, doesn't hide later text, and doesn't reverse the order of letters.
///
/// These characters are escaped: control characters (C0, DEL, C1), characters that set the
/// direction of text (Unicode Standard Annex 9, section 2), separators of lines and paragraphs, and
/// invisible characters such as tags (U+E0000 to U+E007F) and noncharacters (U+FDD0 to U+FDEF). A
/// joiner between emoji or letters stays.
public enum VisibleText {
  /// Returns the text on one line. Line feeds and tabs are escaped too.
  public static func line(_ text: String) -> String { escaped(text, keepsLayout: false) }

  /// Returns the text with its line feeds and tabs.
  public static func block(_ text: String) -> String { escaped(text, keepsLayout: true) }

  /// Returns the text on one line, in at most `bytes` bytes of UTF-8. An ellipsis shows that it was
  /// cut.
  public static func line(_ text: String, atMost bytes: Int) -> String {
    // The rest is cut anyway, so it needn't be escaped.
    let beginning = text.utf8.count > bytes ? String(text.unicodeScalars.prefix(bytes)) : text
    let line = line(beginning)
    // A text that was cut before escaping gets the ellipsis even if its escaped form fits.
    return (beginning.utf8.count < text.utf8.count ? line + "…" : line).cut(toBytes: bytes)
  }

  /// Returns a text of JSON with invisible characters as `\u009b`. It has the same value for a
  /// program.
  ///
  /// The JSON writer escapes everything below a blank. The other characters occur only in keys and
  /// texts, so the whole text can be escaped at once.
  public static func json(_ text: String) -> String {
    guard mayNeedEscapes(text) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      guard scalar.value > 0x7E, isHidden(scalar) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result
  }

  private static func escaped(_ text: String, keepsLayout: Bool) -> String {
    guard mayNeedEscapes(text) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if !isHidden(scalar) || keepsLayout && (scalar == "\n" || scalar == "\t") {
        result.unicodeScalars.append(scalar)
      } else {
        result += escape(scalar)
      }
    }
    return result
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }

  /// Returns whether the text may need escapes. Most texts have no byte that begins such a
  /// character.
  private static func mayNeedEscapes(_ text: String) -> Bool {
    text.utf8.contains { byte in
      switch byte {
      case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE1, 0xE2, 0xEF, 0xF3: true
      default: false
      }
    }
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true  // C0, DEL and C1
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // direction
    case 0x2028, 0x2029: true  // ends of lines
    case 0x200B, 0x180E, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
    case 0xE0000...0xE007F: true  // tags
    case 0xFDD0...0xFDEF: true  // no characters; who shows the text may use them for itself
    default: false
    }
  }
}
