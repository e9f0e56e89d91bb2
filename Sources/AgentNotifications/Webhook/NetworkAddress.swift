internal import Glibc

/// An IP address, as bytes.
struct NetworkAddress: Sendable, Hashable {
  /// 4 or 16.
  let bytes: [UInt8]

  init?(_ text: String) {
    for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: size)
      if inet_pton(family, text, &bytes) == 1 {
        self.bytes = bytes
        return
      }
    }
    return nil
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// As it is written.
  var text: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(clamping: text.count)) != nil else { return "" }
    return String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether it is reached from everywhere: none of the IANA special-purpose address registries
  /// (RFC 6890) that aren't globally reachable, and no group of hosts.
  var isPublic: Bool {
    if bytes.count == 4 { return !Self.special4.contains { $0.contains(bytes) } }
    if let inner = embedded { return inner.isPublic }
    // Only 2000::/3 is given out as global unicast (RFC 4291).
    return (bytes.first ?? 0) & 0xe0 == 0x20 && !Self.special6.contains { $0.contains(bytes) }
  }

  /// The IPv4 address behind an IPv6 address: mapped (::ffff:0:0/96), translated (64:ff9b::/96) or
  /// 6to4 (2002::/16).
  private var embedded: NetworkAddress? {
    let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff]
    let translated: [UInt8] = [0, 0x64, 0xff, 0x9b] + Array(repeating: 0, count: 8)
    if bytes.starts(with: mapped) || bytes.starts(with: translated) {
      return NetworkAddress(bytes: Array(bytes[12...]))
    }
    guard bytes.starts(with: [0x20, 0x02]) else { return nil }
    return NetworkAddress(bytes: Array(bytes.dropFirst(2).prefix(4)))
  }

  private struct Block: Sendable {
    let prefix: [UInt8]
    let bits: Int

    func contains(_ bytes: [UInt8]) -> Bool {
      var rest = bits
      for (byte, wanted) in zip(bytes, prefix) {
        // The bits of this byte that count; a shift by 8 gives 0.
        let mask = UInt8.max << max(0, 8 - rest)
        if byte & mask != wanted & mask { return false }
        rest -= 8
        if rest <= 0 { return true }
      }
      return rest <= 0
    }
  }

  private static let special4: [Block] = [
    ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12),
    ([192, 0, 0], 24), ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16),
    ([198, 18], 15), ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 4), ([240], 4),
  ].map { Block(prefix: $0.0, bits: $0.1) }

  private static let special6: [Block] = [
    // 2001::/23 (Teredo and others), 2001:db8::/32, 3fff::/20
    ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0d, 0xb8], 32), ([0x3f, 0xff, 0x00], 20),
  ].map { Block(prefix: $0.0, bits: $0.1) }
}
