/// UUIDs (RFC 4122, section 3): 8-4-4-4-12 hexadecimal digits, of whatever version.
enum UUIDFormat {
  private static let digits = ASCIISet("0123456789abcdefABCDEF")

  static func check(_ bytes: Span<UInt8>) throws(FormatFault) {
    let digits = digits
    for at in 0..<min(bytes.count, 36) {
      let fits =
        at == 8 || at == 13 || at == 18 || at == 23
        ? bytes[at] == UInt8(ascii: "-") : digits.admits(bytes[at])
      guard fits else { throw .unexpected(at: at) }
    }
    guard bytes.count >= 36 else { throw .endsEarly }
    try bytes.end(36)
  }
}
