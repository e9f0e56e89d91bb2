import AgentJSON
import Glibc
import Testing

/// Which caller may use which operation: all operations of the OpenAPI document, for every caller,
/// and the table of them in docs/access.md.
@Suite struct AuthorizationTests {
  static let settings: JSONObject = [
    "http": [
      "listen": "127.0.0.1:0",
      "limits": ["requests_per_second": 1_000_000, "burst": 1_000_000],
    ]
  ]

  /// Somebody with a token.
  struct Asker {
    let name: String
    let token: String?
    let scopes: Set<String>
    var isBot = false
  }

  private static let withLesser: [String: Set<String>] = [
    "read": ["read"], "execute": ["execute"], "operate": ["operate", "execute", "read"],
    "administer": ["administer", "operate", "execute", "read"],
  ]

  func askers(_ agent: AgentUnderTest, _ port: PortClient) async throws -> [Asker] {
    var askers = [Asker(name: "nobody", token: nil, scopes: [])]
    let bot = try await agent.client.send("POST", "bots", body: ["name": "b"])
    let id = try #require(bot.body["id"])
    for (scope, all) in Self.withLesser {
      for isBot in [false, true] {
        var order: JSONObject = ["name": .string(scope), "scopes": [.string(scope)]]
        if isBot { order["bot"] = id }
        let made = try await agent.client.send("POST", "tokens", body: .object(order))
        let name = isBot ? "a bot with \(scope)" : "a program with \(scope)"
        askers.append(
          Asker(
            name: name, token: try #require(made.body["token"]?.string), scopes: all, isBot: isBot))
      }
    }
    for (role, scope) in [
      ("viewer", "read"), ("operator", "operate"), ("administrator", "administer"),
    ] {
      _ = try await agent.client.send(
        "POST", "users",
        body: ["name": .string(role), "role": .string(role), "password": "correct horse"])
      let session = try await port.send(
        "POST", "/api/v1/sessions", body: #"{"user": "\#(role)", "password": "correct horse"}"#)
      askers.append(
        Asker(
          name: "a person who is \(role)", token: try #require(session.body["token"]?.string),
          scopes: Self.withLesser[scope] ?? []))
    }
    return askers
  }

  /// The answer of an operation to a request that lacks one parameter: a caller with the permission
  /// gets that message, and nothing is done.
  private func expected(_ operation: APIOperation, _ asker: Asker) -> Int {
    guard let scope = operation.scope else { return 400 }
    if asker.token == nil { return 401 }
    if scope != "any", !asker.scopes.contains(scope) { return 403 }
    if asker.isBot, operation.json["x-for-bots"] != true { return 403 }
    return 400
  }

  @Test func `every operation permits the roles that the document names and no others`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:], others: Self.settings)
      try await agent.run()
      let client = try await agent.port()
      let askers = try await askers(agent, client)
      let operations = try await Self.operations(agent)
      #expect(operations.count >= 140 && askers.count == 12)
      for operation in operations {
        #expect(operation.scope != nil || operation.json["security"] == [], "\(operation.name)")
        for asker in askers {
          let request = PortRequest(
            method: operation.method, target: operation.target + "?no_such_parameter=1",
            token: asker.token)
          let reply = try await request.send(to: client.port)
          #expect(
            reply.status == expected(operation, asker),
            "\(operation.name), \(asker.name): \(reply.body.prefix(200))")
        }
      }
    }
  }

  private static func operations(_ agent: AgentUnderTest) async throws -> [APIOperation] {
    let made = try await agent.client.send(
      "POST", "tokens", body: ["name": "reader", "scopes": ["read"]])
    let request = PortRequest(
      target: "/api/openapi.json", token: try #require(made.body["token"]?.string))
    return APIOperation.all(in: try await request.send(to: agent.port().port).json)
  }

  // MARK: The page

  private static let first =
    "<!-- The table of operations: what a test compares with the API. -->\n"
  private static let last = "<!-- The end of that table. -->"

  private static func table(_ operations: [APIOperation]) -> String {
    func row(_ needs: String, _ isSo: (APIOperation) -> Bool) -> String {
      let names = operations.filter(isSo).map(\.name).sorted().map { "`\($0)`" }
      return "| \(needs) | \(names.joined(separator: ", ")) |\n"
    }
    var text = "| needs | operations |\n|---|---|\n"
    text += row("no token") { $0.scope == nil }
    text += row("any token") { $0.scope == "any" }
    for scope in ["read", "execute", "operate", "administer"] {
      text += row("`\(scope)`") { $0.scope == scope }
    }
    text += "\nA bot's own token opens these, with their scope:\n\n"
    text += operations.filter { $0.json["x-for-bots"] == true }.map(\.name).sorted()
      .map { "`\($0)`" }.joined(separator: ", ")
    return text + "\n"
  }

  @Test func `the page on access has the current table of operations`() async throws {
    let path = "\(Places.repository)/docs/access.md"
    let page = String(decoding: try TemporaryFolder.bytes(ofFile: path), as: UTF8.self)
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:], others: Self.settings)
      try await agent.run()
      let table = Self.table(try await Self.operations(agent))
      let start = try #require(page.firstRange(of: Self.first)).upperBound
      let end = try #require(page.firstRange(of: Self.last)).lowerBound
      if getenv("WRITE_DOCS") != nil {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fputs(String(page[..<start]) + table + page[end...], file) >= 0)
      } else {
        #expect(
          page[start..<end] == table,
          "docs/access.md isn't as the API is: run this test with WRITE_DOCS=1, and read the change."
        )
      }
    }
  }
}
