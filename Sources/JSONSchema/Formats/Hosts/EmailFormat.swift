import AgentText
import ECMARegex

/// Email addresses: `Mailbox` of RFC 5321, section 4.1.2, and in any script by RFC 6531.
struct EmailFormat {
  let isInternational: Bool

  private static let atom = ASCIISet.alphanumeric.union(ASCIISet("!#$%&'*+-/=?^_`{|}~"))
  /// The limit of RFC 5321, section 4.5.3.1.1, in bytes.
  private static let longestLocalPart = 64

  func check(_ bytes: Span<UInt8>) throws(FormatFault) {
    var at = 0
    if bytes.has("\"", 0) { try readQuoted(bytes, &at) } else { try readAtoms(bytes, &at) }
    guard bytes.has("@", at) else { throw at == bytes.count ? .noAtSign : .unexpected(at: at) }
    guard at <= Self.longestLocalPart else { throw .localPart }
    at += 1
    if bytes.has("[", at) {
      try readLiteral(bytes, &at)
      try bytes.end(at)
    } else {
      try checkDomain(bytes, from: at)
    }
  }

  private func checkDomain(_ bytes: Span<UInt8>, from start: Int) throws(FormatFault) {
    var at = start
    do throws(FormatFault) {
      try HostnameFormat.read(bytes, &at)
      try bytes.end(at)
    } catch {
      // Only a name with labels beyond ASCII can still be valid.
      guard isInternational, let scalars = bytes.extracting(start...).scalars(),
        scalars.contains(where: { !$0.isASCII })
      else { throw error }
      try InternationalName.check(scalars, dots: ["."])
    }
  }

  /// Reads sequences of letters, digits and signs, with single dots between them.
  private func readAtoms(_ bytes: Span<UInt8>, _ at: inout Int) throws(FormatFault) {
    while true {
      let start = at
      bytes.skipAll(Self.atom, &at)
      while skipForeign(bytes, &at) { bytes.skipAll(Self.atom, &at) }
      guard at > start else { throw bytes.misfit(at) }
      if !bytes.has(".", at) { return }
      at += 1
    }
  }

  /// Reads `"any text"`, in which a backslash makes the next character literal.
  private func readQuoted(_ bytes: Span<UInt8>, _ at: inout Int) throws(FormatFault) {
    at += 1
    while !bytes.has("\"", at) {
      if skipForeign(bytes, &at) { continue }
      if bytes.has("\\", at) { at += 1 }
      guard (0x20...0x7E).contains(bytes.byte(at)) else { throw bytes.misfit(at) }
      at += 1
    }
    at += 1
  }

  /// Skips `UTF8-non-ascii` of RFC 6531, section 3.3.
  private func skipForeign(_ bytes: Span<UInt8>, _ at: inout Int) -> Bool {
    isInternational && bytes.byte(at) >= 0x80 && bytes.scalar(&at) != nil
  }

  /// Reads `[192.0.2.1]` or `[IPv6:2001:db8::1]`. IANA has registered no other kind.
  private func readLiteral(_ bytes: Span<UInt8>, _ at: inout Int) throws(FormatFault) {
    at += 1
    if bytes.byte(at).isASCIIDigit {
      try IPAddressFormat.readIPv4(bytes, &at, leadingZeros: true)
    } else {
      for letter in "ipv6:".utf8 {
        guard bytes.byte(at) | 0x20 == letter | 0x20 else { throw bytes.misfit(at) }
        at += 1
      }
      // Here `::` replaces at least two groups (RFC 5321, section 4.1.3).
      try IPAddressFormat.readIPv6(bytes, &at, maxBesideGap: 6)
    }
    try bytes.skip("]", &at)
  }
}
