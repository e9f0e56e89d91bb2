package import AgentJSON
package import AgentModules
package import AgentSettings

/// A route that a module serves on the agent's HTTP port, below `/modules/NAME/`.
package struct ModuleRoute: Sendable {
  /// The module.
  package let module: String
  /// The route's name in the manifest.
  package let name: String
  /// The method, in capitals; GET answers HEAD too.
  package let method: String
  /// The path below `/modules/NAME/`: `summary/{day}`, `files/{path...}`.
  package let path: String
  /// The scope that a client needs.
  package let scope: String
  /// For people.
  package let title: String
  /// One or two sentences; may be empty.
  package let description: String
  /// The schema of the request's body, which is JSON then.
  package let input: JSONValue?
  /// The schema of the answer's body, which is JSON then.
  package let output: JSONValue?

  package let declaration: RouteDeclaration

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

/// The result of looking for the route of a request.
package enum ModuleRouteMatch: Sendable {
  /// This route, and what stands for its parameters.
  case found(ModuleRoute, parameters: [String: String])
  /// The path is served, by these methods.
  case otherMethods([String])
  /// No module serves it: a sentence.
  case none(String)
}
