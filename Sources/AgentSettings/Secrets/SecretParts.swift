internal import AgentText

/// The parts of a value that are secret by themselves.
///
/// A receiver that refuses a request often quotes a part of it: the token of the query string
/// without the rest of the address, or the word behind `Bearer`. The redactor must know these parts
/// to replace them in such an answer.
enum SecretParts {
  /// Short names of secrets in a query string.
  private static let shortNames: Set<String> = [
    "key", "sig", "signature", "code", "auth", "pass", "pwd",
  ]

  /// Returns the secrets in an address: the password before the host, the query parameters with
  /// names of secrets, and texts that look random.
  static func ofAddress(_ text: String) -> [String] {
    // An incomplete address may hold secrets too.
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
    // A receiver may quote the part as it was sent or decoded.
    return parts.flatMap { part in [String(part), PercentEncoding.decoded(part)] }
  }

  /// Returns the passwords of all addresses in a text, such as `postgres://user:password@host/x`.
  static func passwords(in text: String) -> [String] {
    guard text.contains("@") else { return [] }
    return text.ranges(of: "://").flatMap { mark -> [String] in
      let rest = text[mark.upperBound...].prefix { !$0.isWhitespace }
      guard let password = password(in: rest), !isReference(password) else { return [] }
      return [String(password), PercentEncoding.decoded(password)]
    }
  }

  private static func password(in rest: Substring) -> Substring? {
    let authority = rest.prefix { !"/?#".contains($0) }
    guard let colon = authority.firstIndex(of: ":") else { return nil }
    let start = rest.index(after: colon)
    if let end = authority.lastIndex(of: "@") { return colon < end ? rest[start..<end] : nil }
    // A password with a slash should be encoded, and often isn't. A port isn't a password.
    let isPort = authority[start...].allSatisfy { $0.isNumber || $0 == "]" || $0 == ":" }
    guard !isPort, let end = rest.lastIndex(of: "@") else { return nil }
    return rest[start..<end]
  }

  /// Returns the secrets of `user:password@`. A name without a password is a token.
  private static func ofUser(_ authority: Substring) -> [Substring] {
    guard let end = authority.lastIndex(of: "@") else { return [] }
    let user = authority[..<end]
    guard let colon = user.firstIndex(of: ":") else { return [user] }
    let password = user[user.index(after: colon)...]
    return isDrawn(user[..<colon]) ? [user[..<colon], password] : [password]
  }

  /// Returns the secrets in a header field: the words after the scheme, such as `Bearer`.
  static func ofField(_ text: String) -> [String] {
    // Shorter words are probably no secrets, and replacing them would damage other texts.
    text.split(separator: " ").filter { $0.utf8.count >= 8 }.map(String.init)
  }

  /// Returns the secrets in a text with a PEM key: its lines.
  static func ofKey(_ text: String) -> [String] {
    guard isKey(text) else { return [] }
    // The last line of a key may be short. Replacing a few characters everywhere would damage other
    // texts.
    return text.split(whereSeparator: \.isWhitespace).filter { $0.utf8.count >= 16 }
      .map(String.init)
  }

  /// Returns whether a text is a PEM key or certificate.
  static func isKey(_ text: String) -> Bool { text.contains("-----BEGIN ") }

  /// Returns whether a text under the name of a secret is likely to be one. The value of
  /// `TOKEN_LIMIT` isn't, and replacing its number everywhere would only damage texts.
  static func isLikely(_ text: String) -> Bool {
    isLong(text) && !text.utf8.allSatisfy(\.isASCIIDigit)
  }

  /// Returns whether a text is long enough for a secret. A shorter one may be a word of other
  /// texts, such as `none`, and a reference names its variable only.
  static func isLong(_ text: String) -> Bool { text.utf8.count >= 6 && !isReference(text) }

  private static func isReference(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("${") && text.hasSuffix("}")
  }

  private static func isDrawn(_ text: Substring) -> Bool {
    // A part of this length with letters and digits is probably random, such as a webhook's token.
    text.utf8.count >= 16 && text.contains { $0.isNumber } && text.contains { $0.isLetter }
  }
}
