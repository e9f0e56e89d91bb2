import AgentText

/// UUIDs of any version (RFC 4122, section 3): 8-4-4-4-12 hexadecimal digits.
enum UUIDFormat {
  static func check(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    try skipDigits(8, in: bytes, at: &at)
    for _ in 0..<3 {
      try bytes.skip("-", &at)
      try skipDigits(4, in: bytes, at: &at)
    }
    try bytes.skip("-", &at)
    try skipDigits(12, in: bytes, at: &at)
    try bytes.end(at)
  }

  @inline(__always)
  private static func skipDigits(
    _ count: Int, in bytes: Span<UInt8>, at: inout Int
  ) throws(FormatFault) {
    for _ in 0..<count {
      guard bytes.byte(at).isHexDigit else { throw bytes.misfit(at) }
      at += 1
    }
  }
}
