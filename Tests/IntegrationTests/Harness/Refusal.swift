import AgentJSON

/// A request that an operation accepts.
struct RightRequest {
  let operation: APIOperation
  let request: PortRequest
  let tokens: Refusal.Tokens
}

/// A request that every operation of the API refuses, wherever it applies.
struct Refusal: Sendable {
  /// Tokens made for the test, by the one scope that each was made with.
  typealias Tokens = [String: String]

  let name: String
  let status: Int
  let code: String
  /// The wrong request, from one that is right so far; nil where it can't be wrong in this way.
  let request: @Sendable (RightRequest) -> PortRequest?

  init(
    _ name: String, status: Int, code: String,
    request: @escaping @Sendable (RightRequest) -> PortRequest?
  ) {
    self.name = name
    self.status = status
    self.code = code
    self.request = request
  }

  /// A change of the request, whatever the operation.
  private init(
    _ name: String, status: Int, code: String,
    always change: @escaping @Sendable (inout PortRequest) -> Void
  ) {
    self.init(name, status: status, code: code) { right in
      var request = right.request
      change(&request)
      return request
    }
  }

  /// A body of JSON, for operations that take JSON or lines of it.
  private init(_ name: String, status: Int, code: String, json text: String) {
    self.init(name, status: status, code: code) { right in
      guard let type = right.operation.mediaTypes.first(where: { $0 != "*/*" }) else { return nil }
      var request = right.request
      request.headers.append(("Content-Type", type))
      request.body = text
      return request
    }
  }

  /// The callers, and where they call from.
  static let strangers: [Refusal] = [
    Refusal("no token", status: 401, code: "unauthenticated") { right in
      if right.operation.scope == nil { return nil }
      var request = right.request
      request.token = nil
      return request
    },
    Refusal("a token that nobody has made", status: 401, code: "unauthenticated") { right in
      if right.operation.ignoresTokens { return nil }
      var request = right.request
      request.token = "bulkhead_nothing_nothing"
      return request
    },
    Refusal("a password in place of a token", status: 401, code: "unauthenticated") { right in
      if right.operation.ignoresTokens { return nil }
      var request = right.request
      request.token = nil
      request.headers.append(("Authorization", "Basic YWRhOnNlY3JldA=="))
      return request
    },
    Refusal("a foreign host", status: 421, code: "misdirected") { $0.host = "rebound.example:80" },
    Refusal("a foreign origin", status: 403, code: "foreign_origin") {
      $0.headers.append(("Origin", "http://rebound.example"))
    },
    Refusal("a page of no origin", status: 403, code: "foreign_origin") {
      $0.headers.append(("Origin", "null"))
    },
    Refusal("a page of another port", status: 403, code: "foreign_origin") {
      $0.headers.append(("Origin", "http://localhost:1"))
    },
    Refusal("another scope", status: 403, code: "forbidden") { right in
      guard let scope = right.operation.scope else { return nil }
      var request = right.request
      // The greatest that doesn't bring the one that is needed.
      switch scope {
      case "any": return nil
      case "read": request.token = right.tokens["execute"]
      case "administer": request.token = right.tokens["operate"]
      default: request.token = right.tokens["read"]
      }
      return request
    },
  ]

  /// How it is asked for.
  static let addresses: [Refusal] = [
    Refusal("a method that isn't there", status: 405, code: "method_not_allowed") { right in
      var request = right.request
      let methods = ["PATCH", "PUT", "DELETE", "POST", "GET"]
      request.method = methods.first { !right.operation.methods.contains($0) } ?? "TRACE"
      return request
    },
    Refusal("an unknown parameter", status: 400, code: "invalid") {
      $0.target += "?no_such_parameter=1"
    },
    Refusal("a parameter twice", status: 400, code: "invalid") { right in
      guard let name = right.operation.queries.first?.name else { return nil }
      var request = right.request
      request.target += "?\(name)=1&\(name)=1"
      return request
    },
    Refusal("a parameter that is something else", status: 400, code: "invalid") { right in
      guard let name = right.operation.queries.first(where: { $0.schema["type"] != "string" })?.name
      else { return nil }
      var request = right.request
      request.target += "?\(name)=x"
      return request
    },
  ]

  /// What it brings.
  static let bodies: [Refusal] = [
    Refusal("a body where none is taken", status: 400, code: "invalid") { right in
      guard right.operation.mediaTypes.isEmpty else { return nil }
      var request = right.request
      request.headers.append(("Content-Type", "application/json"))
      request.body = "{}"
      return request
    },
    Refusal("a large body where none is taken", status: 400, code: "invalid") { right in
      guard right.operation.mediaTypes.isEmpty else { return nil }
      var request = right.request
      request.headers.append(("Content-Length", "1099511627776"))
      return request
    },
    Refusal("no body", status: 400, code: "invalid") { right in
      guard right.operation.json["requestBody"]?["required"] == true,
        right.operation.mediaTypes.contains("application/json")
      else { return nil }
      var request = right.request
      request.headers += [("Content-Type", "application/json"), ("Content-Length", "0")]
      return request
    },
    Refusal("another content type", status: 415, code: "unsupported_media_type") { right in
      if right.operation.mediaTypes.isEmpty || right.operation.mediaTypes == ["*/*"] { return nil }
      var request = right.request
      request.headers.append(("Content-Type", "text/plain"))
      request.body = "{}"
      return request
    },
    Refusal("no content type", status: 415, code: "unsupported_media_type") { right in
      if right.operation.mediaTypes.isEmpty || right.operation.mediaTypes == ["*/*"] { return nil }
      var request = right.request
      request.body = "{}"
      return request
    },
    Refusal("a body that is too large", status: 413, code: "too_large") { right in
      guard let type = right.operation.mediaTypes.first(where: { $0 != "*/*" }) else { return nil }
      var request = right.request
      request.headers += [("Content-Type", type), ("Content-Length", "1099511627776")]
      return request
    },
    Refusal(
      "JSON that is too deep", status: 400, code: "invalid",
      json: String(repeating: "[", count: 65) + String(repeating: "]", count: 65)),
    Refusal("a member that its schema hasn't", status: 400, code: "invalid") { right in
      guard right.operation.isClosed else { return nil }
      var request = right.request
      request.headers.append(("Content-Type", "application/json"))
      request.body = #"{"no_such_member": 1}"#
      return request
    },
    Refusal("JSON that is malformed", status: 400, code: "invalid", json: "{,}"),
    Refusal("JSON with a key twice", status: 400, code: "invalid", json: #"{"a":1,"a":2}"#),
  ]
}

extension APIOperation {
  /// Liveness answers whatever token a request has, so that no limit of tokens holds up a probe.
  fileprivate var ignoresTokens: Bool { name == "get_liveness" }
}
