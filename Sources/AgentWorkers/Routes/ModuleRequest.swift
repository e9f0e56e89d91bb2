package import AgentJSON

/// A request as a module gets it. The host has checked the caller; its credentials are left out.
package struct ModuleRequest: Sendable {
  /// The method, in capitals.
  package var method: String
  /// The path below `/modules/NAME/`, decoded.
  package var path: String
  /// The names and values of the query, decoded, in their order.
  package var query: [(name: String, value: String)]
  /// All headers; the module gets those that are safe.
  package var headers: [(name: String, value: String)]
  /// The name of the client, for people.
  package var principal: String
  /// The body.
  package var body: [UInt8]

  /// Makes a request.
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

  /// The input of the module's route. `SDK/schemas/route.input.json` has its shape.
  package func json(parameters: [String: String]) -> JSONValue {
    var object: JSONObject = [
      // HEAD asks for what GET would answer, and the server leaves the body out. A module has to
      // know GET only.
      "method": .string(method == "HEAD" ? "GET" : method), "path": .string(path),
      "parameters": Self.object(parameters), "query": queryJSON,
      "headers": Self.object(SafeHeaders.ofRequest(headers)), "principal": .string(principal),
    ]
    if !body.isEmpty {
      // A JSON text can't carry other bytes than UTF-8.
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
