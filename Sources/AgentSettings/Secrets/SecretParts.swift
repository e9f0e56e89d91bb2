/// The parts of a value that are secret by themselves.
///
/// A receiver that refuses a request often says what it didn't like: the token of the query string
/// without the rest of the address, the word behind `Bearer`. These parts must be known to be
/// replaced in such an answer.
enum SecretParts {
  /// What may stand in a query string under a short name of a secret.
  private static let shortNames: Set<String> = [
    "key", "sig", "signature", "code", "auth", "pass", "pwd",
  ]

  /// The secrets in an address: the password before the host, the query parameters with names of
  /// secrets, and texts that look random.
  static func ofAddress(_ text: String) -> [String] {
    // What isn't an address yet may hold one's secrets.
    let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
    let rest = text[start...].prefix { $0 != "#" }
    let authority = rest.prefix { !"/?".contains($0) }
    var parts = ofUser(authority)
    let path = rest[authority.endIndex...].prefix { $0 != "?" }
    parts += path.split(separator: "/").filter(isDrawn)
    for pair in rest[path.endIndex...].dropFirst().split(separator: "&") {
      let name = pair.prefix { $0 != "=" }
      let value = pair[name.endIndex...].dropFirst()
      let tells = SecretNames.tells(String(name)) || shortNames.contains(name.lowercased())
      if !value.isEmpty, tells || isDrawn(value) { parts.append(value) }
    }
    return parts.flatMap { part in [String(part), decoded(part)] }
  }

  /// `user:password@`; a name alone is a token.
  private static func ofUser(_ authority: Substring) -> [Substring] {
    guard let end = authority.lastIndex(of: "@") else { return [] }
    let user = authority[..<end]
    guard let colon = user.firstIndex(of: ":") else { return [user] }
    let password = user[user.index(after: colon)...]
    return isDrawn(user[..<colon]) ? [user[..<colon], password] : [password]
  }

  /// The secrets in a header field: its words after the scheme, such as the one after `Bearer`.
  static func ofField(_ text: String) -> [String] {
    text.split(separator: " ").filter { $0.utf8.count >= 8 }.map(String.init)
  }

  /// The secrets in a text with a PEM key: its lines.
  static func ofKey(_ text: String) -> [String] {
    guard isKey(text) else { return [] }
    return text.split(whereSeparator: \.isWhitespace).filter { $0.utf8.count >= 16 }
      .map(String.init)
  }

  /// Whether a text is a key or a certificate as PEM.
  static func isKey(_ text: String) -> Bool { text.contains("-----BEGIN ") }

  /// Whether a text under a name that speaks of secrets is likely to be one: `TOKEN_LIMIT` is none,
  /// and to replace its number everywhere would help nobody.
  static func isLikely(_ text: String) -> Bool {
    text.utf8.count >= 6 && !text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isDrawn(_ text: Substring) -> Bool {
    text.utf8.count >= 16 && text.contains { $0.isNumber } && text.contains { $0.isLetter }
  }

  /// Without percent-encoding (RFC 3986, 2.1).
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
