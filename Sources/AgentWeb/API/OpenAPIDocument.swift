internal import AgentAccess
internal import AgentHost
internal import AgentJSON
internal import AgentModules
internal import AgentProcesses
internal import HTTPTypes
internal import Hummingbird

/// The OpenAPI 3.1 document of the API. It is made from the declarations of the routes, so that
/// both always agree.
struct OpenAPIDocument {
  let routes: [APIRoute]

  /// Returns the route that serves the document.
  static func route(for routes: [APIRoute], of host: HostApplication) -> APIRoute {
    let own = APIRoute(
      .get, "/api/openapi.json", operation: "get_openapi", summary: "Returns this document.",
      tag: .agent, for: .read,
      replies: [.ok(.anyObject)]
    ) { _ in Response(["": .null]) }
    let document = OpenAPIDocument(routes: routes + [own]).json
    let bytes = document.bytes()
    return APIRoute(
      own.method, own.path, operation: own.operation, summary: own.summary, tag: own.tag,
      for: own.scope,
      replies: own.replies
    ) { _ in
      let served = host.processes.moduleRoutes
      if served.isEmpty { return Response(bytes: bytes, as: MediaType.json.rawValue) }
      return Response(adding(served, to: document))
    }
  }

  var json: JSONValue {
    var paths = JSONObject()
    for route in routes where !route.options.contains(.undocumented) {
      var item = paths[route.path]?.object ?? JSONObject()
      item[route.method.rawValue.lowercased()] = operation(route)
      paths[route.path] = .object(item)
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Bulkhead agent", "version": .string("\(SemanticVersion.host)"),
        "description":
          "The agent's API. Every request needs a token, except those without a security requirement: Authorization: Bearer TOKEN.",
      ],
      "servers": [["url": "/"]],
      "tags": .array(APIRoute.Tag.allCases.map { ["name": .string($0.rawValue)] }),
      "security": [["token": []]],
      "paths": .object(paths),
      "components": [
        "securitySchemes": [
          "token": [
            "type": "http", "scheme": "bearer",
            "description": "agent token create NAME --scope read",
          ]
        ],
        "responses": .object(refusals),
        "schemas": .object(schemas),
      ],
    ]
  }

  private func operation(_ route: APIRoute) -> JSONValue {
    var object: JSONObject = [
      "operationId": .string(route.operation), "summary": .string(route.summary),
      "tags": [.string(route.tag.rawValue)],
    ]
    if let scope = route.scope {
      object["x-scope"] = .string(route.options.contains(.anyScope) ? "any" : scope.rawValue)
      object["x-for-bots"] = .bool(route.options.contains(.forBots))
    } else {
      object["security"] = []
    }
    let parameters = route.parameters.map(\.json) + route.headers
    if !parameters.isEmpty { object["parameters"] = .array(parameters) }
    if let body = route.body { object["requestBody"] = body.json }
    var replies = JSONObject()
    for reply in route.replies { replies["\(reply.status.code)"] = reply.json }
    for status in route.refusals where replies["\(status.code)"] == nil {
      replies["\(status.code)"] = ["$ref": .string("#/components/responses/\(status.code)")]
    }
    object["responses"] = .object(replies)
    return .object(object)
  }

  /// The refusals, each described once.
  private var refusals: JSONObject {
    var object = JSONObject()
    for status in Set(routes.flatMap(\.refusals)).sorted(by: { $0.code < $1.code }) {
      object["\(status.code)"] = [
        "description": .string(status.reasonPhrase),
        "content": .object([
          MediaType.problem.rawValue: ["schema": APIProblem.shape.reference]
        ]),
      ]
    }
    return object
  }

  private var schemas: JSONObject {
    var found: [String: Shape] = [:]
    func add(_ shape: Shape) {
      guard found.updateValue(shape, forKey: shape.name) == nil else { return }
      for used in shape.uses { add(used) }
    }
    add(APIProblem.shape)
    for route in routes where !route.options.contains(.undocumented) {
      for shape in route.body?.shapes ?? [] { add(shape) }
      for shape in route.replies.flatMap(\.content).compactMap(\.shape) { add(shape) }
    }
    var object = JSONObject()
    for shape in found.values.sorted(by: { $0.name < $1.name }) {
      object[shape.name] = shape.schema
    }
    return object
  }
}

extension APIRoute {
  /// The headers that the route uses.
  fileprivate var headers: [JSONValue] {
    guard options.contains(.repeatable) else { return [] }
    return [
      [
        "name": "Idempotency-Key", "in": "header", "required": false,
        "schema": ["type": "string", "minLength": 1, "maxLength": 255],
        "description": "A request with a key that was used before isn't executed again.",
      ]
    ]
  }

  /// The statuses of its refusals and failures. They follow from its properties.
  var refusals: [HTTPResponse.Status] {
    var statuses: [HTTPResponse.Status] = [
      .badRequest, .forbidden, .misdirectedRequest, .tooManyRequests, .internalServerError,
      .serviceUnavailable,
    ]
    statuses.append(.unauthorized)
    if options.contains(.named) || parameters.contains(where: { $0.place == .path }) {
      statuses.append(.notFound)
    }
    if let body {
      statuses.append(.contentTooLarge)
      if !body.mediaTypes.isEmpty { statuses.append(.unsupportedMediaType) }
    }
    if method != .get { statuses += [.conflict, .unprocessableContent] }
    if [.put, .delete, .patch].contains(method) { statuses.append(.preconditionFailed) }
    if options.contains(.slow) { statuses += [.conflict, .gatewayTimeout] }
    return statuses
  }
}
