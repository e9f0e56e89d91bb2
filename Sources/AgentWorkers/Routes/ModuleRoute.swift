package import AgentJSON
package import AgentModules
package import AgentSettings

/// A route that a module serves on the agent's HTTP port, below `/modules/NAME/`.
package struct ModuleRoute: Sendable {
  /// The name of the module.
  package let module: String
  /// The route's name in the manifest.
  package let name: String
  /// The method, in capitals. A route for GET answers HEAD too.
  package let method: String
  /// The pattern of the path below `/modules/NAME/`, such as `summary/{day}` or `files/{path...}`.
  package let path: String
  /// The scope that a client needs.
  package let scope: String
  /// The title that people see.
  package let title: String
  /// The description in one or two sentences. It may be empty.
  package let description: String
  /// The schema of the request's body; `nil` if there is none. With a schema, the body is JSON.
  package let input: JSONValue?
  /// The schema of the answer's body; `nil` if there is none. With a schema, the body is JSON.
  package let output: JSONValue?

  package let declaration: RouteDeclaration

  /// Creates the route that a contribution declares.
  /// - Returns: `nil` if the contribution is disabled or isn't a route.
  package init?(_ settings: ContributionSettings, of module: String) {
    guard settings.isEnabled, let declaration = settings.contribution.route else { return nil }
    let contribution = settings.contribution
    self.module = module
    self.declaration = declaration
    name = contribution.name
    method = declaration.method
    path = declaration.path.description
    scope = declaration.scope
    title = contribution.title
    description = contribution.description
    input = contribution.input
    output = contribution.output
  }
}

/// The result of the search for the route of a request.
package enum ModuleRouteMatch: Sendable {
  /// The route, and the values of its parameters by name.
  case found(ModuleRoute, parameters: [String: String])
  /// The path has routes, but only for these methods.
  case otherMethods([String])
  /// No module serves the path. The text is a sentence that says so.
  case none(String)
}
