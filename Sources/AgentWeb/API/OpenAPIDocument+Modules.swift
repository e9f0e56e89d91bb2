internal import AgentJSON
internal import AgentHost
internal import AgentWorkers

/// Adds the routes that modules declare in their manifests.
extension OpenAPIDocument {
  /// Returns the document with the routes of modules. They change with the settings, so they are
  /// added for each request.
  static func adding(_ routes: [ModuleRoute], to document: JSONValue) -> JSONValue {
    guard !routes.isEmpty, var object = document.object else { return document }
    var paths = object["paths"]?.object ?? [:]
    for route in routes {
      let path = "/modules/\(route.module)/\(route.path.replacing("...}", with: "}"))"
      var item = paths[path]?.object ?? [:]
      item[route.method.lowercased()] = operation(route, path)
      paths[path] = .object(item)
    }
    object["paths"] = .object(paths)
    return .object(object)
  }

  private static func operation(_ route: ModuleRoute, _ path: String) -> JSONValue {
    var object: JSONObject = [
      "operationId": .string("\(route.module).\(route.name)"), "summary": .string(route.title),
      "tags": [.string(APIRoute.Tag.modules.rawValue)], "x-scope": .string(route.scope),
    ]
    if !route.description.isEmpty { object["description"] = .string(route.description) }
    let names = RouteTable.names(in: path)
    if !names.isEmpty {
      object["parameters"] = .array(
        names.map { APIParameter.path($0, "of the module's").json })
    }
    if let input = route.input {
      object["requestBody"] = ["required": true, "content": json(input, of: route, "input")]
    }
    var replies: JSONObject = [
      "200": [
        "description": "The module's response. The module may choose another status.",
        "content": route.output.map { json($0, of: route, "output") } ?? ["*/*": [:]],
      ],
      "502": problem("The module failed, or its response can't be sent."),
      "504": problem("The module exceeded its time limit."),
    ]
    for status in [400, 401, 403, 404, 429, 503] {
      replies["\(status)"] = ["$ref": .string("#/components/responses/\(status)")]
    }
    object["responses"] = .object(replies)
    return .object(object)
  }

  private static func problem(_ description: String) -> JSONValue {
    [
      "description": .string(description),
      "content": .object([MediaType.problem.rawValue: ["schema": APIProblem.shape.reference]]),
    ]
  }

  /// Returns a module's schema within this document. An `$id` of its own keeps its references
  /// relative to itself. A schema that refers to the host's shared schemas is left out, because the
  /// document doesn't hold these.
  private static func json(
    _ schema: JSONValue, of route: ModuleRoute, _ what: String
  ) -> JSONValue {
    var schema = schema
    if schema.text().contains("\"agent:") {
      schema = true
    } else if case .object(var object) = schema {
      object["$schema"] = nil
      object["$id"] = .string("urn:bulkhead:module:\(route.module):\(route.name):\(what)")
      schema = .object(object)
    }
    return .object([MediaType.json.rawValue: ["schema": schema]])
  }
}
