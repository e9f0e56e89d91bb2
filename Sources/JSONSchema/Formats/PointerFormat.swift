/// JSON pointers (RFC 6901) and relative ones.
enum PointerFormat {
  static func check(_ bytes: Span<UInt8>) throws(FormatFault) {
    try readPointer(bytes, from: 0)
  }

  /// Checks a relative pointer: a number of levels, then `#` or a pointer. Since
  /// draft-bhutton-relative-json-pointer-00, to which 2020-12 refers, a step to a neighbor may come
  /// between: `0-1`.
  static func checkRelative(
    _ bytes: Span<UInt8>, allowsAdjustment: Bool
  ) throws(FormatFault) {
    var at = 0
    try readInteger(bytes, &at)
    if allowsAdjustment, bytes.has("+", at) || bytes.has("-", at) {
      at += 1
      try readInteger(bytes, &at)
    }
    if bytes.has("#", at) {
      try bytes.end(at + 1)
    } else {
      try readPointer(bytes, from: at)
    }
  }

  private static func readInteger(_ bytes: Span<UInt8>, _ at: inout Int) throws(FormatFault) {
    let start = at
    try bytes.skipDigits(&at)
    guard at == start + 1 || !bytes.has("0", start) else { throw .leadingZero }
  }

  private static func readPointer(_ bytes: Span<UInt8>, from start: Int) throws(FormatFault) {
    guard start < bytes.count else { return }
    var at = start
    try bytes.skip("/", &at)
    while at < bytes.count {
      if bytes.has("~", at) {
        at += 1
        guard bytes.has("0", at) || bytes.has("1", at) else { throw .tilde }
      }
      at += 1
    }
  }
}
