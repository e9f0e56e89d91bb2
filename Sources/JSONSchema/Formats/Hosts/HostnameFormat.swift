import ECMARegex

/// Host names in ASCII: RFC 1123, section 2.1, with the limits of RFC 1035, section 2.3.4.
enum HostnameFormat {
  static let longestLabel = 63
  /// The limit in characters. It corresponds to 255 bytes on the wire, where each label has its
  /// length before it and a 0 ends the name.
  static let longestName = 253

  private static let letters = ASCIISet.alphanumeric.union(ASCIISet("-"))

  /// Checks a name by RFC 1123 alone, in which `xn--` has no special meaning.
  static func checkPlain(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    try read(bytes, &at)
    try bytes.end(at)
  }

  /// Checks a name whose labels in other scripts are valid A-labels (RFC 5890).
  static func check(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    let isCoded = try read(bytes, &at)
    try bytes.end(at)
    if isCoded { try InternationalName.check(bytes.scalars() ?? [], dots: ["."]) }
  }

  /// Checks a name in any script, with the separators of RFC 3490, section 3.1.
  static func checkInternational(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    if (try? read(bytes, &at)) == false, at == bytes.count { return }
    // A character has at most four bytes. The check avoids decoding megabytes.
    guard bytes.count <= longestName * 4 else { throw .longName }
    guard let scalars = bytes.scalars() else { throw .unexpected(at: 0) }
    try InternationalName.check(scalars, dots: [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"])
  }

  /// Checks labels of letters, digits and inner hyphens. Returns whether one begins with `xn--`.
  @discardableResult
  static func read(_ bytes: Span<UInt8>, _ at: inout Int) throws(FormatFault) -> Bool {
    let start = at
    var isCoded = false
    while true {
      let first = at
      bytes.skipAll(letters, &at)
      let length = at - first
      guard length > 0 else {
        throw at == bytes.count || bytes.has(".", at) ? .emptyLabel : .unexpected(at: at)
      }
      guard length <= longestLabel else { throw .longLabel }
      if bytes.has("-", first) || bytes.has("-", at - 1) { throw .hyphen }
      if length > 3, bytes.has("-", first + 2), bytes.has("-", first + 3) {
        isCoded = isCoded || isXN(bytes, first)
      }
      guard bytes.has(".", at) else { break }
      at += 1
    }
    guard at - start <= longestName else { throw .longName }
    return isCoded
  }

  private static func isXN(_ bytes: Span<UInt8>, _ at: Int) -> Bool {
    bytes[at] | 0x20 == UInt8(ascii: "x") && bytes[at + 1] | 0x20 == UInt8(ascii: "n")
  }
}
