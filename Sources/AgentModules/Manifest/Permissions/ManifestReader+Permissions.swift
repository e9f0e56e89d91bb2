import AgentJSON

extension ManifestReader {
  mutating func readPermissions() -> Permissions {
    let permissions = Permissions(
      network: readNetwork(), read: readPaths("read", for: .read),
      write: readPaths("write", for: .write), run: readPaths("run", for: .run))
    refuseProgramsOfItsOwn(permissions)
    return permissions
  }

  /// Refuses programs below the module's own `write`. The module could replace such a program, so
  /// the name would guarantee nothing.
  private mutating func refuseProgramsOfItsOwn(_ permissions: Permissions) {
    for (index, text) in texts("run").enumerated() {
      // A path with another spelling is removed when the permissions are enforced.
      guard let place = permissions.write.first(where: { text.isWithin($0) }) else { continue }
      add(
        "invalid_permission", at: ["permissions", "run", String(index)],
        message: "\(JSONValue.string(text).text()) lies in \(JSONValue.string(place).text()), which"
          + " the module may write. Name a program that lies elsewhere.",
        expected: "a program outside of what \"write\" names",
        found: JSONValue.string(text).text())
    }
  }

  private func texts(_ key: String) -> [String] {
    members("permissions")[key]?.array?.compactMap(\.string) ?? []
  }

  private mutating func readPaths(
    _ key: String, for purpose: PermittedPath.Purpose
  ) -> [String] {
    var paths: [String] = []
    for (index, text) in texts(key).enumerated() {
      do {
        let path = try PermittedPath(text, for: purpose).text
        if !paths.contains(path) { paths.append(path) }
      } catch {
        add(
          "invalid_permission", at: ["permissions", key, String(index)],
          message: "\(JSONValue.string(text).text()) \(error.message)",
          expected: "an absolute path", found: JSONValue.string(text).text())
      }
    }
    return paths
  }

  private mutating func readNetwork() -> Permissions.Network {
    if members("permissions")["network"]?.string == "any" { return .any }
    let origins = texts("network")
    for (index, origin) in origins.enumerated() where !Self.isOrigin(origin) {
      add(
        "invalid_origin", at: ["permissions", "network", String(index)],
        message: "expected an origin such as \"https://api.example.org\" or"
          + " \"tcp://host:7000\", without a path; found \"\(origin)\".",
        expected: "scheme://host or scheme://host:port", found: "\"\(origin)\"")
    }
    return .origins(origins)
  }

  /// Returns whether a text has the form `scheme://host[:port]`.
  private static func isOrigin(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      return false
    }
    let scheme = text[..<colon]
    let rest = text[text.index(colon, offsetBy: 3)...]
    return !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      && !rest.isEmpty && !rest.contains { "/?#@ ".contains($0) }
  }

  // MARK: Hidden characters

  /// The keys whose values are data and schemas. They don't describe the module or its permissions.
  private static let data: Set<String> = ["settings", "input", "output", "example", "permissions"]

  /// Refuses characters that make a text look like another one. People decide by these texts, and
  /// terminals obey such characters. Line feeds are allowed in texts of several lines.
  mutating func checkCharacters(_ value: JSONValue, at tokens: [String]) {
    switch value {
    case .string(let text): checkCharacters(text, at: tokens)
    case .array(let values):
      for (index, value) in values.enumerated() {
        checkCharacters(value, at: tokens + [String(index)])
      }
    case .object(let object):
      for (key, value) in object {
        if let scalar = key.firstHidden() { report(scalar, at: tokens) }
        if !Self.data.contains(key) { checkCharacters(value, at: tokens + [key]) }
      }
    case .null, .bool, .number: break
    }
  }

  private mutating func checkCharacters(_ text: String, at tokens: [String]) {
    // An argument may be a program of several lines. A title may contain a joiner, which some names
    // need.
    let isArgument = tokens.first == "command" && tokens.count == 2 && tokens[1] != "0"
    let isProse = tokens.last == "title" || tokens.last == "description"
    let allowed: [Unicode.Scalar] =
      isArgument
      ? ["\n", "\r", "\t", "\u{1B}"] : isProse ? ["\n", "\t", "\u{200C}", "\u{200D}"] : []
    if let scalar = text.firstHidden(butFor: allowed) { report(scalar, at: tokens) }
  }

  private mutating func report(_ scalar: Unicode.Scalar, at tokens: [String]) {
    add(
      "hidden_character", at: tokens,
      message: "the text holds the character \(scalar.codeText), which is invisible. Remove it.",
      expected: "characters that can be seen", found: scalar.codeText)
  }
}
