import AgentJSON

/// An operation of the API, as its OpenAPI document describes it.
struct APIOperation: Sendable {
  let method: String
  let path: String
  /// All methods that its path has.
  let methods: [String]
  let json: JSONValue
  /// The schema of its body, where that is JSON, without references at its root.
  var body: JSONValue?

  /// Whether its body may have no members but those that the document names.
  var isClosed: Bool { body?["additionalProperties"] == false }

  /// What programs call it.
  var name: String { json["operationId"]?.string ?? "\(method) \(path)" }

  /// What somebody must be allowed to do; nil where everybody may.
  var scope: String? { json["x-scope"]?.string }

  /// Its path with something in the place of each name.
  var target: String {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("{") ? "nothing" : String($0) }.joined(separator: "/")
  }

  /// What media types its body may have; empty for one without a body.
  var mediaTypes: [String] {
    json["requestBody"]?["content"]?.object?.map(\.key) ?? []
  }

  /// The schemas of its body, by media type.
  var schemas: [String: JSONValue] {
    (json["requestBody"]?["content"]?.object ?? [:]).reduce(into: [:]) {
      $0[$1.key] = $1.value["schema"]
    }
  }

  /// Whether it takes a key by which a request isn't done twice.
  var isRepeatable: Bool {
    (json["parameters"]?.array ?? []).contains { $0["name"] == "Idempotency-Key" }
  }

  /// The parameters of the query string, by name.
  var queries: [(name: String, schema: JSONValue)] {
    (json["parameters"]?.array ?? []).filter { $0["in"] == "query" }
      .map { ($0["name"]?.string ?? "", $0["schema"] ?? .null) }
  }

  private static func body(of operation: JSONValue, in document: JSONValue) -> JSONValue? {
    var schema = operation["requestBody"]?["content"]?["application/json"]?["schema"]
    while let name = schema?["$ref"]?.string?.split(separator: "/").last {
      schema = document["components"]?["schemas"]?[String(name)]
    }
    return schema
  }

  /// All operations of a document.
  static func all(in document: JSONValue) -> [APIOperation] {
    (document["paths"]?.object ?? [:]).flatMap { path, item in
      let methods = item.object?.map { $0.key.uppercased() } ?? []
      return (item.object ?? [:]).map { method, json in
        APIOperation(
          method: method.uppercased(), path: path, methods: methods, json: json,
          body: body(of: json, in: document))
      }
    }
  }
}
