/// Formats that name things: URIs, hosts, addresses, UUIDs, JSON pointers.
enum AddressFormat {
  typealias Bytes = Substring.UTF8View.SubSequence

  static func isURI(_ text: String) -> Bool {
    URIReference(text).scheme != nil && isURIReference(text)
  }

  /// RFC 3986: the characters, the escapes, and a port of digits.
  static func isURIReference(_ text: String) -> Bool {
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.popFirst()?.hexDigit != nil, rest.popFirst()?.hexDigit != nil else {
          return false
        }
      } else if !byte.isASCIIAlphanumeric, !"-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
        return false
      }
    }
    let parts = URIReference(text)
    if parts.fragment?.contains("#") == true { return false }
    if parts.scheme == nil, parts.authority == nil,
      parts.path.prefix(while: { $0 != "/" }).contains(":")
    {
      return false
    }
    let outside = parts.path + (parts.query ?? "") + (parts.fragment ?? "")
    guard !outside.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") })
    else { return false }
    return parts.authority.map(isAuthority) ?? true
  }

  private static func isAuthority(_ text: String) -> Bool {
    var host = text.utf8[...]
    if let mark = host.lastIndex(of: UInt8(ascii: "@")) { host = host[host.index(after: mark)...] }
    if host.first == UInt8(ascii: "[") {
      guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
      guard isIPv6(host[host.index(after: host.startIndex)..<end]) else { return false }
      host = host[host.index(after: end)...]
      if host.isEmpty { return true }
      guard host.first == UInt8(ascii: ":") else { return false }
    }
    guard let colon = host.firstIndex(of: UInt8(ascii: ":")) else { return true }
    return host[host.index(after: colon)...].allSatisfy(\.isASCIIDigit)
  }

  /// `local@host`, the local part a dot-atom or quoted (RFC 5321).
  static func isEmail(_ text: String) -> Bool {
    guard let mark = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let local = text.utf8[..<mark]
    let host = text.utf8[text.utf8.index(after: mark)...]
    return isLocalPart(local) && isMailHost(host)
  }

  private static func isMailHost(_ host: Bytes) -> Bool {
    guard host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") else {
      return isHostname(host)
    }
    let inside = host.dropFirst().dropLast()
    return inside.starts(with: "IPv6:".utf8) ? isIPv6(inside.dropFirst(5)) : isIPv4(inside)
  }

  private static func isLocalPart(_ local: Bytes) -> Bool {
    if local.count > 2, local.first == UInt8(ascii: "\""), local.last == UInt8(ascii: "\"") {
      return local.dropFirst().dropLast().allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") }
    }
    let atoms = local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return atoms.allSatisfy { atom in
      !atom.isEmpty
        && atom.allSatisfy {
          $0.isASCIIAlphanumeric || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
        }
    }
  }

  /// RFC 1123: labels of 1 to 63 letters, digits and inner hyphens; 253 characters in all.
  static func isHostname(_ bytes: Bytes) -> Bool {
    guard bytes.count <= 253 else { return false }
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
        && label.last != UInt8(ascii: "-")
        && label.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
    }
  }

  static func isIPv4(_ bytes: Bytes) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard (1...3).contains(part.count), part.allSatisfy(\.isASCIIDigit) else { return false }
        let value = part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return value < 256 && (part.count == 1 || part.first != UInt8(ascii: "0"))
      }
  }

  /// RFC 4291, section 2.2: eight groups, one run of them as `::`, the last two as IPv4.
  static func isIPv6(_ bytes: Bytes) -> Bool {
    var groups = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard groups.count >= 3, groups.count <= 9 else { return false }
    var count = 0
    if let last = groups.last, last.contains(UInt8(ascii: ".")) {
      guard isIPv4(last) else { return false }
      groups.removeLast()
      count = 2
    }
    let hasIPv4 = count == 2
    // "::" at an end leaves two empty groups there, of which one is the gap.
    if groups[0].isEmpty {
      guard groups.count > 1, groups[1].isEmpty else { return false }
      groups.removeFirst()
    }
    if !hasIPv4, groups.count > 1, groups[groups.count - 1].isEmpty {
      guard groups[groups.count - 2].isEmpty else { return false }
      groups.removeLast()
    }
    let gaps = groups.count(where: \.isEmpty)
    count += groups.count - gaps
    let isHex = groups.allSatisfy { $0.count <= 4 && $0.allSatisfy { $0.hexDigit != nil } }
    return isHex && (gaps == 0 ? count == 8 : gaps == 1 && count < 8)
  }

  /// RFC 4122: 8-4-4-4-12 hexadecimal digits.
  static func isUUID(_ text: String) -> Bool {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy { $0.hexDigit != nil } }
  }

  /// RFC 6901.
  static func isPointer(_ text: String) -> Bool {
    guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else { return false }
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else { continue }
      guard let next = rest.popFirst(), next == UInt8(ascii: "0") || next == UInt8(ascii: "1")
      else { return false }
    }
    return true
  }
}
