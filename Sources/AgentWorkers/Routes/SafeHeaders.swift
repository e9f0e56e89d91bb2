/// Decides which headers of a request a module gets, and which headers its answer may set.
/// docs/decisions/0015 has the reasons.
enum SafeHeaders {
  private static let known: Set<String> = [
    "accept", "accept-language", "content-type", "content-language", "if-match",
    "if-modified-since", "if-none-match", "if-unmodified-since", "range", "traceparent",
    "user-agent",
  ]
  /// Parts of names that begin with `x-`. A header whose name contains one of them may contain a
  /// credential or the client's address, so a module doesn't get it.
  private static let telling = [
    "assertion", "auth", "client-ip", "cookie", "credential", "csrf", "forwarded", "identity",
    "jwt", "key", "oidc", "password", "real-ip", "remote", "secret", "session", "token", "xsrf",
  ]
  private static let maxCount = 64
  private static let maxBytes = 16 << 10

  /// Returns the headers of a request that a module gets, by their names in small letters. Headers
  /// beyond the limits of number and size are left out.
  static func ofRequest(_ headers: [(name: String, value: String)]) -> [String: String] {
    var safe: [String: String] = [:]
    var bytes = 0
    for (name, value) in headers {
      let name = name.lowercased()
      guard isSafe(name) else { continue }
      bytes += name.utf8.count + value.utf8.count
      guard bytes <= maxBytes, safe.count < maxCount else { break }
      // Fields with the same name are one list (RFC 9110, 5.3).
      safe[name] = safe[name].map { "\($0), \(value)" } ?? value
    }
    return safe
  }

  private static func isSafe(_ name: String) -> Bool {
    if known.contains(name) { return true }
    return name.hasPrefix("x-") && !telling.contains { name.contains($0) }
  }

  // MARK: Answers

  /// The headers that an answer may set, besides the module's own.
  ///
  /// Rationale: the list has the allowed headers, because a list of forbidden headers would never
  /// be complete. Web servers in front of the agent obey some headers of answers, such as
  /// `X-Accel-Redirect` and `X-Sendfile`. With them, a module could serve files that it can't read.
  private static let ofAnswers: Set<String> = [
    "cache-control", "content-disposition", "content-language", "etag", "expires", "last-modified",
    "link", "location", "retry-after", "vary", "x-total", "x-total-count",
  ]
  /// The prefix of a module's own headers.
  private static let own = "x-module-"

  /// Returns the reason why a module's answer may not have a header, or `nil` if it may. The reason
  /// is a sentence that begins with a small letter.
  static func problem(ofAnswer name: String, _ value: String) -> String? {
    let name = name.lowercased()
    let isOwn = name.hasPrefix(own) && name.utf8.allSatisfy(isToken)
    guard ofAnswers.contains(name) || isOwn else {
      return "it set the header \"\(name.prefix(64))\", which a module may not. Names of its own "
        + "begin with \(own)."
    }
    guard value.utf8.count <= 4096, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return
        "its header \"\(name)\" has a value that can't be sent: at most 4096 characters of ASCII."
    }
    if name == "location", !isPlace(value) {
      return "its \"location\" is neither a path nor an http or https address."
    }
    return nil
  }

  private static func isPlace(_ value: String) -> Bool {
    if value.hasPrefix("https://") || value.hasPrefix("http://") { return true }
    // "//host" is the address of another host, and browsers read "/\" in the same way.
    return value.hasPrefix("/") && !value.hasPrefix("//") && !value.contains("\\")
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
  }
}
