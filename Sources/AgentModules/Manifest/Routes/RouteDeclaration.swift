/// The requests that a route answers, and the scope that its callers need.
public struct RouteDeclaration: Sendable, Hashable {
  /// The method, in capitals.
  public let method: String
  /// The path below `/modules/NAME/`.
  public let path: RoutePattern
  /// The scope that the caller needs: `read`, `execute`, `operate` or `administer`.
  public let scope: String
}

/// The result of looking up a request among the routes of a module.
public enum RouteMatch<Route> {
  /// This route, with the values of its parameters.
  case found(Route, [String: String])
  /// The path is known, and these are its methods.
  case otherMethods([String])
  /// No route matches.
  case none

  /// Finds the route for a request. A GET route also answers HEAD.
  /// - Parameter path: the decoded segments.
  public init(
    _ method: String, _ path: [String], among routes: [Route],
    declaration: (Route) -> RouteDeclaration?
  ) {
    let matching = routes.compactMap { route in
      declaration(route).flatMap { declaration in
        declaration.path.match(path).map { (route, declaration, $0) }
      }
    }.sorted { $0.1.path.precedes($1.1.path) }
    let wanted = method == "HEAD" ? "GET" : method
    if let found = matching.first(where: { $0.1.method == wanted }) {
      self = .found(found.0, found.2)
    } else if matching.isEmpty {
      self = .none
    } else {
      let methods = Set(matching.map(\.1.method))
      self = .otherMethods((methods.contains("GET") ? methods.union(["HEAD"]) : methods).sorted())
    }
  }
}
