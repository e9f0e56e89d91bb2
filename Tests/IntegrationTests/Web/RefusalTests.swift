import AgentJSON
import Testing

/// What every route of the API refuses: the routes are those of the OpenAPI document of a running
/// agent, so that a new one is held to it without a line here.
@Suite struct RefusalTests {
  private static let settings: JSONObject = [
    "http": [
      "listen": "127.0.0.1:0",
      "limits": ["requests_per_second": 1_000_000, "burst": 1_000_000],
    ]
  ]
  /// What isn't in the document: pages for browsers.
  private static let pages = ["/", "/api", "/setup", "/api/page.js"]

  @Test func `every route refuses unauthorized and invalid requests without effect`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:], others: Self.settings)
      try await agent.run()
      let port = try await agent.port().port
      let tokens = try await agent.tokens()
      let operations = try await Self.operations(port, tokens)
      #expect(operations.count >= 40, "\(operations.map(\.name))")
      let before = try agent.folder.text("settings.json")
      let refusals = Refusal.strangers + Refusal.addresses + Refusal.bodies
      var (asked, held) = (0, Set<String>())
      for operation in operations {
        for refusal in refusals {
          asked += 1
          let applies = try await Self.check(
            refusal, operation: operation, port: port, tokens: tokens, number: asked)
          if applies { held.insert(refusal.name) }
        }
      }
      #expect(held.count == refusals.count, "only \(held) were asked")
      for page in Self.pages {
        let operation = APIOperation(method: "GET", path: page, methods: ["GET"], json: [:])
        for refusal in Refusal.strangers + Refusal.addresses.prefix(1) {
          asked += 1
          _ = try await Self.check(
            refusal, operation: operation, port: port, tokens: tokens, number: asked)
        }
      }
      #expect(try agent.folder.text("settings.json") == before)
      let left = try await agent.client.send("GET", "tokens").body["tokens"]?.array?.count
      #expect(left == tokens.count)
      let audit =
        try await agent.client.send("GET", "audit?limit=1000").body["entries"]?.array ?? []
      let done = audit.filter { $0["outcome"] == "done" }.compactMap { $0["action"]?.string }
      #expect(Set(done).isSubset(of: ["create_token"]), "\(done)")
    }
  }

  private static func operations(
    _ port: Int, _ tokens: Refusal.Tokens
  ) async throws -> [APIOperation] {
    let request = PortRequest(target: "/api/openapi.json", token: tokens["read"])
    let reply = try await request.send(to: port)
    #expect(reply.status == 200)
    return APIOperation.all(in: reply.json)
  }

  /// Whether an operation can be asked so; it must refuse then.
  private static func check(
    _ refusal: Refusal, operation: APIOperation, port: Int, tokens: Refusal.Tokens,
    number: Int
  ) async throws -> Bool {
    var right = PortRequest(
      method: operation.method, target: operation.target, token: tokens["administer"])
    right.headers.append(("X-Request-ID", "refusal-\(number)"))
    guard
      let wrong = refusal.request(
        RightRequest(operation: operation, request: right, tokens: tokens))
    else { return false }
    let reply = try await wrong.send(to: port)
    let place: Comment =
      "\(operation.name), \(refusal.name): \(reply.status) \(reply.body.prefix(300))"
    #expect(reply.status == refusal.status, place)
    #expect(reply.headers["content-type"] == "application/problem+json", place)
    #expect(reply.headers["x-request-id"] == "refusal-\(number)", place)
    #expect(reply.json["request_id"] == .string("refusal-\(number)"), place)
    #expect(reply.json["status"]?.int == reply.status, place)
    #expect(reply.json["code"] == .string(refusal.code), place)
    #expect(reply.json["detail"]?.string?.isEmpty == false, place)
    if refusal.status == 401 { #expect(reply.headers["www-authenticate"] != nil, place) }
    if refusal.status == 405 {
      let allowed = reply.headers["allow"]?.split(separator: ",").map { $0.filter(\.isLetter) }
      #expect(Set(allowed ?? []).isSuperset(of: operation.methods), place)
    }
    if operation.json != [:] {
      #expect(
        operation.json["responses"]?["\(refusal.status)"] != nil || refusal.status == 405, place)
    }
    return true
  }
}

extension AgentUnderTest {
  /// A token of each scope, by the scope.
  func tokens() async throws -> [String: String] {
    var tokens: [String: String] = [:]
    for scope in ["read", "execute", "operate", "administer"] {
      let reply = try await client.send(
        "POST", "tokens", body: ["name": .string(scope), "scopes": [.string(scope)]])
      tokens[scope] = reply.body["token"]?.string
      #expect(reply.status == 201, "\(reply.error)")
    }
    return tokens
  }
}
