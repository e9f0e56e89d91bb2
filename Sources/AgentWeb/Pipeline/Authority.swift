internal import AgentText

/// The name and the port of a `Host` header, or of the URI of a request (RFC 3986, section 3.2).
struct Authority: Hashable {
  /// The name in lower case. An IPv6 address has no brackets.
  let host: String
  /// The port. Nil means that none is given.
  let port: Int?

  /// Reads `NAME`, `NAME:PORT` and `[ADDRESS]:PORT`. Returns nil for anything else, such as
  /// `user@NAME`, because programs disagree about the name in it.
  init?(parsing text: String) {
    guard let (host, rest) = Self.split(text[...]) else { return nil }
    self.host = host.lowercased()
    if rest.isEmpty || rest == ":" {
      port = nil
      return
    }
    let digits = rest.dropFirst()
    guard rest.first == ":", digits.utf8.allSatisfy(\.isASCIIDigit),
      let number = Int(digits), number <= 65_535
    else { return nil }
    port = number
  }

  private static func split(_ text: Substring) -> (host: Substring, rest: Substring)? {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let host = text[text.index(after: text.startIndex)..<end]
      guard !host.isEmpty, host.utf8.allSatisfy(isOfAddress) else { return nil }
      return (host, text[text.index(after: end)...])
    }
    let host = text.prefix { $0 != ":" }
    guard !host.isEmpty, host.utf8.allSatisfy(\.isUnreserved) else { return nil }
    return (host, text[host.endIndex...])
  }

  /// Returns whether a byte is a hexadecimal digit, a colon, a dot, or a percent sign before the
  /// zone.
  private static func isOfAddress(_ byte: UInt8) -> Bool {
    byte.isUnreserved || byte == 0x3A || byte == 0x25
  }
}
