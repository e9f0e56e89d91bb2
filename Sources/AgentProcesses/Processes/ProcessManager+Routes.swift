internal import AgentJSON
internal import AgentLogging
internal import AgentModules
internal import AgentSettings
internal import AgentWorkerProtocol
package import AgentWorkers
internal import JSONSchema

/// `routes/1`: modules answer requests to the agent's HTTP port below `/modules/NAME/`.
extension ProcessManager {
  /// Every route of the enabled modules, by module, path and method.
  package var moduleRoutes: [ModuleRoute] {
    let routes = settings.modules.flatMap { Self.routes(of: $0) }
    return routes.sorted { ($0.module, $0.path, $0.method) < ($1.module, $1.path, $1.method) }
  }

  /// Returns the route for a request. It runs no code of the module.
  /// - Parameter path: the decoded segments below `/modules/NAME/`.
  package func moduleRoute(module name: String, method: String, path: [String]) -> ModuleRouteMatch
  {
    guard let module = settings.module(name) else {
      return .none("No module \"\(name)\" is enabled.")
    }
    let shown = "/modules/\(name)/\(path.joined(separator: "/"))"
    // Segments that move within a path are refused here, so that no module needs to check for them.
    guard !path.contains(where: { [".", ".."].contains($0) || $0.isEmpty }) else {
      return .none("There is nothing at \(shown).")
    }
    let match = RouteMatch(method, path, among: Self.routes(of: module)) { $0.declaration }
    switch match {
    case .found(let route, let parameters): return .found(route, parameters: parameters)
    case .otherMethods(let methods): return .otherMethods(methods)
    case .none: return .none("There is nothing at \(shown).")
    }
  }

  private static func routes(of module: ModuleSettings) -> [ModuleRoute] {
    module.contributions.compactMap { ModuleRoute($0, of: module.manifest.name) }
  }

  /// Passes a request to the module of the route, and checks its answer.
  /// - Throws: `invalid` if the body doesn't match the route's schema. The module's own code and
  ///   message for a refused request. `badGateway` if the module fails or its answer can't be sent.
  ///   `deadlineExceeded` if it exceeds its time.
  package func serve(
    _ request: ModuleRequest, by route: ModuleRoute, parameters: [String: String]
  ) async throws(HostError) -> ModuleReply {
    let metrics = InvocationMetrics(
      environment.metrics, module: route.module, contribution: route.name)
    return try await metrics.measured { () async throws(HostError) in
      // The host checks the body, so that a module only receives one that its schema allows.
      if let input = route.input { try check(request.body, input, of: route) }
      return try checked(try await answer(to: request, by: route, parameters), of: route)
    }
  }

  private func checked(
    _ answer: JSONValue, of route: ModuleRoute
  ) throws(HostError) -> ModuleReply {
    do {
      return try ModuleReply(answer)
    } catch {
      let message = "The module \(route.module) sent an invalid response: \(error.message)"
      environment.log.log(
        .error, "\(route.method) \(route.path): \(message)", source: "module:\(route.module)")
      throw HostError(.badGateway, message)
    }
  }

  private func answer(
    to request: ModuleRequest, by route: ModuleRoute, _ parameters: [String: String]
  ) async throws(HostError) -> JSONValue {
    do {
      return try await call(
        ContributionName(.route, route.name), of: route.module,
        input: request.json(parameters: parameters)
      ) { error in
        switch error.code {
        case .invalidArgument: .invalid
        case .conflict: .conflict
        case .overloaded: .notReady
        case .deadlineExceeded: .deadlineExceeded
        default: .badGateway
        }
      }
    } catch  where error.code == .failed {
      // `failed` remains for problems that the host finds itself: a worker that doesn't start, or
      // an answer that isn't JSON. For an HTTP client, these are a bad gateway too.
      throw HostError(.badGateway, error.message)
    }
  }

  private func check(
    _ body: [UInt8], _ schema: JSONValue, of route: ModuleRoute
  ) throws(HostError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: body, limits: JSONLimits(maxDepth: 64))
    } catch {
      throw HostError(
        .invalid,
        "The body isn't JSON: line \(error.place.line), column \(error.place.column): "
          + error.message)
    }
    let compiled: Schema
    do {
      compiled = try Schema(schema, registry: SharedSchemas.registry)
    } catch {
      throw HostError(
        .failed,
        "The schema of \(route.module)/\(route.path) can't be used, so no request is accepted: "
          + "\(error)")
    }
    let failures = compiled.validate(document.root)
    guard failures.contains(where: { $0.severity == .error }) else { return }
    throw HostError(
      "The body isn't what \(route.module)/\(route.path) takes", failures, of: compiled,
      for: document)
  }
}
