/// UUIDs (RFC 4122, section 3): 8-4-4-4-12 hexadecimal digits, of whatever version.
enum UUIDFormat {
  static func check(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    try skipDigits(8, bytes, &at)
    for _ in 0..<3 {
      try bytes.skip("-", &at)
      try skipDigits(4, bytes, &at)
    }
    try bytes.skip("-", &at)
    try skipDigits(12, bytes, &at)
    try bytes.end(at)
  }

  @inline(__always)
  private static func skipDigits(
    _ count: Int, _ bytes: Span<UInt8>, _ at: inout Int
  ) throws(FormatFault) {
    for _ in 0..<count {
      guard bytes.byte(at).isHexDigit else { throw bytes.misfit(at) }
      at += 1
    }
  }
}
