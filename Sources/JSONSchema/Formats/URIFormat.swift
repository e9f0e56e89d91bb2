import AgentText
import ECMARegex

/// URIs (RFC 3986) and IRIs (RFC 3987), absolute ones and references.
struct URIFormat {
  /// Whether characters of all scripts are allowed.
  let isInternational: Bool

  private static let unreserved = ASCIISet.alphanumeric.union(ASCIISet("-._~"))
  private static let schemeTail = ASCIISet.alphanumeric.union(ASCIISet("+-."))
  private static let name = unreserved.union(ASCIISet("!$&'()*+,;="))
  private static let userOrFuture = name.union(ASCIISet(":"))
  private static let firstSegment = name.union(ASCIISet("@"))
  private static let authorityEnd = ASCIISet("/?#")
  private static let path = name.union(ASCIISet(":@/"))
  private static let query = path.union(ASCIISet("?"))

  func checkReference(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    let hasScheme = Self.skipScheme(bytes, &at)
    try readRest(bytes, &at, hasScheme: hasScheme)
  }

  func checkWhole(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    guard Self.skipScheme(bytes, &at) else { throw .noScheme }
    try readRest(bytes, &at, hasScheme: true)
  }

  private static func skipScheme(_ bytes: Span<UInt8>, _ at: inout Int) -> Bool {
    var end = 0
    guard bytes.byte(0).isASCIILetter else { return false }
    bytes.skipAll(schemeTail, &end)
    guard bytes.has(":", end) else { return false }
    at = end + 1
    return true
  }

  private func readRest(
    _ bytes: Span<UInt8>, _ at: inout Int, hasScheme: Bool
  ) throws(FormatFault) {
    if bytes.has("/", at), bytes.has("/", at + 1) {
      at += 2
      try readAuthority(bytes, &at)
      guard at == bytes.count || Self.authorityEnd.admits(bytes[at]) else {
        throw .unexpected(at: at)
      }
    } else if !hasScheme {
      // A colon before the first slash would make the text before it a scheme.
      try skip(Self.firstSegment, in: bytes, at: &at)
      if bytes.has(":", at) { throw .unexpected(at: at) }
    }
    try skip(Self.path, in: bytes, at: &at)
    if bytes.has("?", at) {
      at += 1
      try skip(Self.query, in: bytes, at: &at, allowsPrivate: true)
    }
    if bytes.has("#", at) {
      at += 1
      try skip(Self.query, in: bytes, at: &at)
    }
    try bytes.end(at)
  }

  private func readAuthority(_ bytes: Span<UInt8>, _ at: inout Int) throws(FormatFault) {
    var end = at
    try skip(Self.userOrFuture, in: bytes, at: &end)
    if bytes.has("@", end) { at = end + 1 }
    if bytes.has("[", at) {
      try Self.readLiteral(bytes, &at)
    } else {
      try skip(Self.name, in: bytes, at: &at)
    }
    guard bytes.has(":", at) else { return }
    at += 1
    while bytes.byte(at).isASCIIDigit { at += 1 }
  }

  /// Reads `[2001:db8::1]`, or an address of a future kind such as `[v7.x]`.
  private static func readLiteral(_ bytes: Span<UInt8>, _ at: inout Int) throws(FormatFault) {
    at += 1
    if bytes.byte(at) | 0x20 == UInt8(ascii: "v") {
      at += 1
      guard bytes.byte(at).isHexDigit else { throw bytes.misfit(at) }
      while bytes.byte(at).isHexDigit { at += 1 }
      try bytes.skip(".", &at)
      let start = at
      bytes.skipAll(userOrFuture, &at)
      guard at > start else { throw bytes.misfit(at) }
    } else {
      try IPAddressFormat.readIPv6(bytes, &at)
    }
    try bytes.skip("]", &at)
  }

  /// Skips characters of a set, escapes and, in IRIs, characters beyond ASCII.
  private func skip(
    _ set: ASCIISet, in bytes: Span<UInt8>, at: inout Int, allowsPrivate: Bool = false
  ) throws(FormatFault) {
    while true {
      bytes.skipAll(set, &at)
      if bytes.has("%", at) {
        try bytes.skipEscape(&at)
      } else if isInternational, bytes.byte(at) >= 0x80 {
        var next = at
        guard let scalar = bytes.scalar(&next), !scalar.turnsDirection,
          scalar.isIRICharacter(allowsPrivate: allowsPrivate)
        else { throw .unexpected(at: at) }
        at = next
      } else {
        return
      }
    }
  }
}

extension Unicode.Scalar {
  /// `ucschar` of RFC 3987, section 2.2, and `iprivate`, which only queries may contain.
  func isIRICharacter(allowsPrivate: Bool) -> Bool {
    switch value {
    case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
    case 0xE000...0xF8FF, 0xF0000...0x10FFFF: allowsPrivate && value & 0xFFFE != 0xFFFE
    case 0xE0000...0xE0FFF: false
    case 0x10000...: value & 0xFFFE != 0xFFFE
    default: false
    }
  }

  /// Whether the character sets the direction of writing. Such characters aren't allowed in an IRI
  /// (RFC 3987, section 4.1).
  var turnsDirection: Bool {
    (0x200E...0x200F).contains(value) || (0x202A...0x202E).contains(value)
  }
}
