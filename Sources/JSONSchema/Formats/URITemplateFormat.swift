import AgentText
import ECMARegex

/// URI templates (RFC 6570, section 2).
enum URITemplateFormat {
  /// The literals of the RFC, with the apostrophe of its verified erratum 6937.
  private static let literal = ASCIISet.alphanumeric.union(
    ASCIISet("!#$&'()*+,-./:;=?@[]_~"))
  private static let operators = ASCIISet("+#./;?&=,!@|")
  private static let nameCharacters = ASCIISet.alphanumeric.union(ASCIISet("_"))

  static func check(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    while true {
      bytes.skipAll(literal, &at)
      if at == bytes.count { return }
      switch bytes[at] {
      case UInt8(ascii: "%"): try bytes.skipEscape(&at)
      case UInt8(ascii: "{"): try readExpression(bytes, &at)
      default:
        var next = at
        guard let scalar = bytes.scalar(&next), scalar.isIRICharacter(allowsPrivate: true)
        else { throw .unexpected(at: at) }
        at = next
      }
    }
  }

  private static func readExpression(
    _ bytes: Span<UInt8>, _ at: inout Int
  ) throws(FormatFault) {
    let start = at
    at += 1
    if operators.admits(bytes.byte(at)) { at += 1 }
    while true {
      try readName(bytes, &at, of: start)
      try readModifier(bytes, &at, of: start)
      if !bytes.has(",", at) { break }
      at += 1
    }
    guard bytes.has("}", at) else { throw .expression(at: start) }
    at += 1
  }

  /// Reads letters, digits, underscores and escapes, with single dots between them.
  private static func readName(
    _ bytes: Span<UInt8>, _ at: inout Int, of expression: Int
  ) throws(FormatFault) {
    while true {
      let start = at
      bytes.skipAll(nameCharacters, &at)
      while bytes.has("%", at) {
        try bytes.skipEscape(&at)
        bytes.skipAll(nameCharacters, &at)
      }
      guard at > start else { throw .expression(at: expression) }
      if !bytes.has(".", at) { return }
      at += 1
    }
  }

  /// Reads `*`, or `:` and the length of a prefix below 10000.
  private static func readModifier(
    _ bytes: Span<UInt8>, _ at: inout Int, of expression: Int
  ) throws(FormatFault) {
    if bytes.has("*", at) {
      at += 1
    } else if bytes.has(":", at) {
      at += 1
      let start = at
      while at < start + 4, bytes.byte(at).isASCIIDigit { at += 1 }
      guard at > start, !bytes.has("0", start) else { throw .expression(at: expression) }
    }
  }
}
