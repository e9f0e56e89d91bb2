internal import AgentJSON

extension ManifestReader {
  /// Reads the method, the path and the scope of a route. The manifest's schema has already
  /// reported missing or invalid ones.
  mutating func readRoute(_ value: JSONValue, at tokens: [String]) -> RouteDeclaration? {
    guard let text = value["path"]?.string else { return nil }
    let method = value["method"]?.string ?? "GET"
    let scope = value["scope"]?.string ?? (method == "GET" ? "read" : "execute")
    do {
      return RouteDeclaration(method: method, path: try RoutePattern(text), scope: scope)
    } catch {
      add(
        "invalid_path", at: tokens + ["path"], message: error.message,
        expected: "a path such as summary/{day}", found: "\"\(text)\"")
      return nil
    }
  }

  /// Reports routes that would answer the same requests.
  mutating func checkRoutes(_ contributions: [Contribution]) {
    var seen: [String: String] = [:]
    for contribution in contributions {
      guard let route = contribution.route else { continue }
      let shape = "\(route.method) \(route.path.shape)"
      if let other = seen[shape] {
        add(
          "duplicate_route", at: ["routes", contribution.name, "path"],
          message: "\(route.method) \(route.path) is what \"\(other)\" answers already. Give one of"
            + " them another path or method.",
          expected: "a path of its own", found: "\"\(route.path)\"")
      }
      seen[shape] = contribution.name
    }
  }
}
