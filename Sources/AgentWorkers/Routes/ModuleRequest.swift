package import AgentJSON

/// A request to a module's route. The host has checked the client, and doesn't pass its credentials
/// to the module.
package struct ModuleRequest: Sendable {
  /// The method, in capitals.
  package var method: String
  /// The path below `/modules/NAME/`, decoded.
  package var path: String
  /// The names and values of the query, decoded, in the order of the request.
  package var query: [(name: String, value: String)]
  /// All headers. The module gets only those that `SafeHeaders` allows.
  package var headers: [(name: String, value: String)]
  /// The name of the client, for people.
  package var principal: String
  package var body: [UInt8]

  /// Creates a request.
  package init(
    method: String, path: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], principal: String, body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.principal = principal
    self.body = body
  }

  /// Returns the input of the module's route. `SDK/schemas/route.input.json` has its shape.
  /// - Parameter parameters: the values of the path's parameters, by name.
  package func json(parameters: [String: String]) -> JSONValue {
    var object: JSONObject = [
      // The module gets HEAD as GET, and the server leaves the body out. Therefore, a module only
      // has to handle GET.
      "method": .string(method == "HEAD" ? "GET" : method), "path": .string(path),
      "parameters": Self.object(parameters), "query": queryJSON,
      "headers": Self.object(SafeHeaders.ofRequest(headers)), "principal": .string(principal),
    ]
    if !body.isEmpty {
      // JSON text can contain only UTF-8, so other bodies are encoded.
      if let text = String(validating: body, as: UTF8.self) {
        object["body"] = .string(text)
      } else {
        object["body_base64"] = .string(JSONBase64.encode(body))
      }
    }
    return .object(object)
  }

  private var queryJSON: JSONValue {
    var object = JSONObject()
    for (name, value) in query {
      object[name] = .array((object[name]?.array ?? []) + [.string(value)])
    }
    return .object(object)
  }

  private static func object(_ texts: [String: String]) -> JSONValue {
    .object(JSONObject(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
  }
}
