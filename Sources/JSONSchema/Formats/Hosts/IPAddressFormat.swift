import AgentText

/// IPv4 addresses in dotted form (RFC 2673, section 3.2) and IPv6 addresses (RFC 4291, 2.2).
enum IPAddressFormat {
  static func checkIPv4(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    try readIPv4(bytes, &at)
    try bytes.end(at)
  }

  static func checkIPv6(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    try readIPv6(bytes, &at)
    try bytes.end(at)
  }

  /// Reads four numbers below 256. Only email addresses may have leading zeros (RFC 5321, `Snum`),
  /// which other programs read as octal.
  static func readIPv4(
    _ bytes: Span<UInt8>, _ at: inout Int, leadingZeros: Bool = false
  ) throws(FormatFault) {
    for part in 0..<4 {
      if part > 0 { try bytes.skip(".", &at) }
      let start = at
      var value = try bytes.number(digits: 1, &at)
      while at < start + 3, bytes.byte(at).isASCIIDigit {
        value = value * 10 + Int(bytes.byte(at) - UInt8(ascii: "0"))
        at += 1
      }
      guard value < 256 else { throw .tooLarge(value) }
      guard leadingZeros || at == start + 1 || !bytes.has("0", start) else { throw .leadingZero }
    }
  }

  /// Reads eight groups, or up to `maxBesideGap` and one `::`. An IPv4 address replaces the last
  /// two groups.
  static func readIPv6(
    _ bytes: Span<UInt8>, _ at: inout Int, maxBesideGap: Int = 7
  ) throws(FormatFault) {
    var groups = 0
    var hasGap = bytes.has(":", at)
    if hasGap {
      at += 1
      try bytes.skip(":", &at)
    }
    while let count = try readGroup(bytes, &at) {
      groups += count
      guard groups <= 8 else { throw .groups }
      guard count == 1, bytes.has(":", at) else { break }
      at += 1
      if bytes.has(":", at) {
        guard !hasGap else { throw .unexpected(at: at) }
        hasGap = true
        at += 1
      } else if !bytes.byte(at).isHexDigit {
        throw bytes.misfit(at)
      }
    }
    guard hasGap ? groups <= maxBesideGap : groups == 8 else { throw .groups }
  }

  /// Reads a group. Returns the number of groups: 1, 2 for an IPv4 address, or `nil` if none begins
  /// here.
  private static func readGroup(
    _ bytes: Span<UInt8>, _ at: inout Int
  ) throws(FormatFault) -> Int? {
    let start = at
    while at < start + 4, bytes.byte(at).isHexDigit { at += 1 }
    if bytes.has(".", at) {
      at = start
      try readIPv4(bytes, &at)
      return 2
    }
    return at == start ? nil : 1
  }
}
