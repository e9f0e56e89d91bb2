internal import AgentText

/// Where a webhook goes: the few parts of a URL that matter for it.
struct WebhookAddress: Sendable, Hashable, CustomStringConvertible {
  let scheme: String
  /// In lower case; an IPv6 address without its brackets.
  let host: String
  let port: Int?
  /// With its query; at least `/`.
  let path: String

  /// Reads an absolute address; says what is wrong with one that isn't.
  init(parsing text: String) throws(DeliveryFailure) {
    guard let mark = text.firstRange(of: "://") else { throw Self.failure }
    let scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { throw Self.failure }
    let rest = text[mark.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest[authority.endIndex...]
    guard !authority.contains("@") else {
      throw DeliveryFailure(
        "The address has a name or a password in it. Put them into \"headers\".",
        isFinal: true)
    }
    guard let (host, port) = Self.split(authority), Self.isClean(path) else { throw Self.failure }
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path.hasPrefix("/") ? String(path) : "/\(path)"
  }

  private init(scheme: String, host: String, port: Int?, path: String) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
  }

  /// Where a redirect leads; nil when that isn't an address.
  func redirected(to location: String) -> WebhookAddress? {
    if location.hasPrefix("//") { return try? WebhookAddress(parsing: "\(scheme):\(location)") }
    if location.firstRange(of: "://") != nil { return try? WebhookAddress(parsing: location) }
    let clean = location.prefix { $0 != "#" }
    guard Self.isClean(clean) else { return nil }
    let folder = path.prefix { $0 != "?" }.reversed().drop { $0 != "/" }.reversed()
    return WebhookAddress(
      scheme: scheme, host: host, port: port,
      path: clean.hasPrefix("/") ? String(clean) : String(folder) + clean)
  }

  /// Whether it is another host or port.
  func isElsewhere(than other: WebhookAddress) -> Bool {
    host != other.host || port != other.port
  }

  private var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port.map { "\(name):\($0)" } ?? name
  }

  /// Scheme, host and port: the path may hold a secret.
  var origin: String { "\(scheme)://\(authority)" }
  /// The whole address.
  var description: String { origin + path }

  private static let failure = DeliveryFailure(
    "The address isn't one such as https://example.org/hook. A name in other letters is "
      + "written as it travels: xn--….", isFinal: true)

  private static func split(_ authority: Substring) -> (String, Int?)? {
    var rest = authority
    let host: String
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = rest[rest.index(after: rest.startIndex)..<end].lowercased()
      guard !host.isEmpty, host.utf8.allSatisfy({ isHex($0) || $0 == 0x3a || $0 == 0x2e }) else {
        return nil
      }
      rest = rest[rest.index(after: end)...]
    } else {
      host = rest.prefix { $0 != ":" }.lowercased()
      guard !host.isEmpty, host.utf8.allSatisfy(isName) else { return nil }
      rest = rest.drop { $0 != ":" }
    }
    if rest.isEmpty { return (host, nil) }
    guard rest.removeFirst() == ":", let port = Int(rest), (1...65_535).contains(port),
      rest.utf8.allSatisfy(\.isASCIIDigit)
    else { return nil }
    return (host, port)
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x2d || byte == 0x2e
      || byte == 0x5f
  }

  private static func isClean(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x5c }
  }
}
