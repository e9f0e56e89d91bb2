import AgentText

/// A URI reference in its five parts (RFC 3986, appendix B), with the resolution of section 5.2.
struct URIReference: Hashable, Sendable, CustomStringConvertible {
  var scheme: String?
  var authority: String?
  var path = ""
  var query: String?
  var fragment: String?

  init(_ text: String) {
    var rest = text[...]
    if let mark = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    // A colon may also be in a path, as in `a/b:c`.
    if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
      scheme = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      let body = rest.dropFirst(2)
      let end = body.firstIndex(of: "/") ?? body.endIndex
      authority = String(body[..<end])
      rest = body[end...]
    }
    path = String(rest)
  }

  var description: String {
    (scheme.map { "\($0):" } ?? "") + (authority.map { "//\($0)" } ?? "") + path
      + (query.map { "?\($0)" } ?? "") + (fragment.map { "#\($0)" } ?? "")
  }

  var withoutFragment: URIReference {
    var copy = self
    copy.fragment = nil
    return copy
  }

  func resolved(against base: URIReference) -> URIReference {
    var target = self
    guard scheme == nil else { return target.normalized() }
    target.scheme = base.scheme
    guard authority == nil else { return target.normalized() }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
      return target
    }
    if !path.hasPrefix("/") { target.path = base.merged(with: path) }
    return target.normalized()
  }

  private func merged(with relative: String) -> String {
    // RFC 3986, section 5.2.3.
    if authority != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.lastIndex(of: "/") else { return relative }
    return path[...slash] + relative
  }

  /// Removes `.` and `..` from a path with slashes (RFC 3986, section 5.2.4). A path without
  /// slashes, such as that of `urn:`, isn't changed.
  private func normalized() -> URIReference {
    guard path.contains("/"), path.contains(".") else { return self }
    let isAbsolute = path.hasPrefix("/")
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for segment in isAbsolute ? segments.dropFirst() : segments[...] {
      if segment == ".." { _ = kept.popLast() }
      if segment != ".." && segment != "." { kept.append(segment) }
    }
    // `a/b/..` is the folder `a/` with its slash.
    if let last = segments.last, last == ".." || last == "." { kept.append("") }
    var copy = self
    copy.path = (isAbsolute ? "/" : "") + kept.joined(separator: "/")
    return copy
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first.isASCIILetter else { return false }
    return text.utf8.allSatisfy {
      $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: ".")
    }
  }

  /// Encodes a text for a fragment (RFC 3986, section 3.5).
  static func percentEncoded(fragment text: String) -> String {
    PercentEncoding.encoded(text, keeping: "!$&'()*+,;=:@/?")
  }
}
