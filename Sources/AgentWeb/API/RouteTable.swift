internal import AgentText
internal import HTTPTypes

/// Finds routes by path and method.
struct RouteTable: Sendable {
  /// The routes of a path.
  struct Match: Sendable {
    let routes: [APIRoute]
    /// The decoded variable parts of the path, in order.
    let values: [String]
    /// The part that `{rest...}` matches, as it was written.
    let rest: String?

    func route(_ method: HTTPRequest.Method) -> APIRoute? {
      let wanted = method == .head ? .get : method
      return routes.first { $0.method == wanted }
    }

    /// Returns the values under the names that a route declares.
    func named(by route: APIRoute) -> [String: String] {
      if values.isEmpty && rest == nil { return [:] }
      var named: [String: String] = [:]
      var left = values[...]
      for name in route.names {
        if name.hasSuffix("...") {
          named[String(name.dropLast(3))] = rest ?? ""
        } else {
          named[name] = left.popFirst() ?? ""
        }
      }
      return named
    }
  }

  private struct Node {
    var children: [Substring: Int] = [:]
    var parameter: Int?
    var routes: [APIRoute] = []
    /// The routes with `{rest...}` at this place.
    var rest: [APIRoute] = []
  }

  let routes: [APIRoute]
  private var nodes = [Node()]

  init(_ routes: [APIRoute]) {
    self.routes = routes
    for route in routes { add(route) }
  }

  private mutating func add(_ route: APIRoute) {
    var place = 0
    for part in route.path.split(separator: "/") {
      if part.hasPrefix("{"), part.hasSuffix("...}") {
        nodes[place].rest.append(route)
        return
      }
      place = part.hasPrefix("{") ? parameter(below: place) : child(part, below: place)
    }
    nodes[place].routes.append(route)
  }

  private mutating func parameter(below place: Int) -> Int {
    if let next = nodes[place].parameter { return next }
    nodes.append(Node())
    nodes[place].parameter = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func child(_ part: Substring, below place: Int) -> Int {
    if let next = nodes[place].children[part] { return next }
    nodes.append(Node())
    nodes[place].children[part] = nodes.count - 1
    return nodes.count - 1
  }

  /// Returns the routes of a path. Nil means that there are none.
  func match(_ path: some StringProtocol) -> Match? {
    guard path.hasPrefix("/") else { return nil }
    let path = Substring(path)
    var (place, values) = (0, [String]())
    var fallback: Match?
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, part) in zip(parts.indices, parts) {
      if !nodes[place].rest.isEmpty {
        let rest = parts[index...].joined(separator: "/")
        fallback = Match(routes: nodes[place].rest, values: values, rest: rest)
      }
      if let next = nodes[place].children[part] {
        place = next
      } else if let next = nodes[place].parameter, !part.isEmpty {
        place = next
        values.append(PercentEncoding.decoded(part))
      } else if part.isEmpty, parts.count == 1 {
        break
      } else {
        return fallback
      }
    }
    guard !nodes[place].routes.isEmpty else { return fallback }
    return Match(routes: nodes[place].routes, values: values, rest: nil)
  }

  /// Returns the names in a path.
  static func names(in path: String) -> [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
      .map { String($0.dropFirst().dropLast()) }
  }
}
