import AgentJSON
import Testing

/// Routes of modules in C, Python and Swift, through the host.
@Suite struct ModuleRouteTests {
  // MARK: C

  @Test func `a C route gets the safe parts of a request, and its answer is a document`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try await agent.addService()
      try await agent.run()
      let echo = try await agent.client.answer(
        "POST", "/modules/service/echo/a%20b?x=1&x=2",
        headers: [
          "Content-Type: application/json", "Authorization: Bearer secret", "Cookie: s=secret",
          "X-Signature: abc",
        ], body: #"{"n":7}"#)
      #expect(echo.status == 200, "\(echo)")
      let got = try JSONValue(parsing: echo.body)
      #expect(got["parameters"] == ["word": "a b"])
      #expect(got["query"] == ["x": ["1", "2"]])
      #expect(got["body"] == #"{"n":7}"#)
      #expect(got["headers"]?["x-signature"] == "abc")
      #expect(got["principal"]?.string?.isEmpty == false)
      #expect(!echo.body.contains("secret"))

      let page = try await agent.client.answer("GET", "/modules/service/")
      #expect(page.status == 200)
      #expect(page.headers["content-type"] == "text/html; charset=utf-8")
      #expect(
        page.headers["content-security-policy"]?.hasPrefix("sandbox; default-src 'none'") == true)
      #expect(page.headers["x-content-type-options"] == "nosniff")
      #expect(page.headers["etag"] == "\"1\"")
      #expect(page.body == "<script>steal()</script>")
      let head = try await agent.client.answer("HEAD", "/modules/service/")
      #expect(head.status == 200)
      #expect(head.body.isEmpty)
    }
  }

  @Test func `requests outside the manifest's routes never reach the module`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addService()
      try await agent.run()
      for path in [
        "/modules/service/nothing", "/modules/service/echo", "/modules/service/echo/a/b",
        "/modules/service/bad/../", "/modules/service/bad/%2e%2e", "/modules/nobody/x",
      ] {
        #expect(try await agent.client.answer("GET", path).status == 404, "\(path)")
      }
      let other = try await agent.client.answer("GET", "/modules/service/echo/a")
      #expect(other.status == 405)
      #expect(other.headers["allow"] == "POST")
      let json = ["Content-Type: application/json"]
      let wrong = try await agent.client.answer(
        "POST", "/modules/service/echo/a", headers: json, body: #"{"n":"x"}"#)
      #expect(wrong.status == 400)
      #expect(wrong.body.contains("expected an integer"), "\(wrong.body)")
      let plain = try await agent.client.answer(
        "POST", "/modules/service/echo/a", headers: ["Content-Type: text/plain"], body: #"{"n":1}"#)
      #expect(plain.status == 415)
      let cut = try await agent.client.answer(
        "POST", "/modules/service/echo/a", headers: json, body: "{")
      #expect(cut.status == 400)
      // One segment for the host, and two folders for a module that joins it to a path.
      for segment in [
        "..%2fx", "..%2F..%2Fetc", "a%2f..%2fb", "%2e%2e%2fx", "..%5cx", "a%5c..", "%2e", ".%2fx",
      ] {
        let up = try await agent.client.answer(
          "POST", "/modules/service/echo/\(segment)", headers: json, body: #"{"n":1}"#)
        #expect(up.status == 404 && up.body.contains("with . or .. in it"), "\(segment): \(up)")
      }
      let zero = try await agent.client.answer(
        "POST", "/modules/service/echo/a%00b", headers: json, body: #"{"n":1}"#)
      #expect(zero.status == 400 && zero.body.contains("%00"), "\(zero)")
      let status = try await agent.status("it is idle") { $0["module:service"] != nil }
      #expect(status["module:service"]?.pid == nil)
    }
  }

  @Test func `a module that answers badly or crashes affects nothing else`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addService()
      try await agent.run()
      for example in [
        (name: "cookie", status: 502, words: "set-cookie"),
        (name: "garbage", status: 502, words: "JSON"),
        (name: "large", status: 502, words: "8388608 is the most"),
        (name: "wrong", status: 400, words: "Not so."),
        (name: "die", status: 502, words: "SIGABRT"),
        (name: "wrong", status: 400, words: "Not so."),
      ] {
        let answer = try await agent.client.answer("GET", "/modules/service/bad/\(example.name)")
        #expect(answer.status == example.status, "\(example.name): \(answer)")
        #expect(answer.body.contains(example.words), "\(example.name): \(answer.body.prefix(500))")
        #expect(answer.headers["set-cookie"] == nil)
      }
    }
  }

  @Test func `a module that doesn't answer times out and answers again later`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addService(timeout: 100)
      try await agent.run()
      // Until a worker is there, a call may be late for another reason.
      func answers() async throws -> Bool? {
        try await agent.client.answer("GET", "/modules/service/").status == 200 ? true : nil
      }
      _ = try await eventually("it answers", said: { agent.said }) { try await answers() }
      let late = try await agent.client.answer("GET", "/modules/service/bad/never")
      #expect(late.status == 504, "\(late)")
      #expect(late.body.contains("didn't answer"), "\(late)")
      _ = try await eventually("it answers again", said: { agent.said }) { try await answers() }
    }
  }

  @Test func `a route on the port requires the scope in its manifest`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addService()
      try agent.change("service") {
        guard var routes = $0["routes"]?.object else { return }
        routes["page"] = ["path": "", "scope": "operate"]
        $0["routes"] = .object(routes)
      }
      try await agent.run()
      let port = try await agent.openPort()
      func status(_ method: String, _ path: String, token: String?) async throws -> String {
        let client = try TCPClient(port: port)
        let proof = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        try await client.send(
          "\(method) /modules/service/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(proof)"
            + (method == "GET" ? "" : "Content-Type: application/json\r\nContent-Length: 2\r\n")
            + "Connection: close\r\n\r\n\(method == "GET" ? "" : "{}")")
        return String(await client.text().dropFirst(9).prefix(3))
      }
      var tokens: [String: String] = [:]
      for scope in ["read", "execute", "operate"] {
        let made = try await agent.agent("token", "create", scope, "--scope", scope)
        tokens[scope] = made.output.split(separator: "\n").first.map(String.init)
      }
      #expect(try await status("POST", "echo/a", token: nil) == "401")
      #expect(try await status("POST", "echo/a", token: tokens["read"]) == "403")
      #expect(try await status("POST", "echo/a", token: tokens["execute"]) == "200")
      #expect(try await status("DELETE", "echo/a", token: tokens["execute"]) == "405")
      #expect(try await status("GET", "nothing", token: tokens["read"]) == "404")
      #expect(try await status("GET", "", token: tokens["execute"]) == "403")
      #expect(try await status("GET", "", token: tokens["operate"]) == "200")
      #expect(try await status("GET", "", token: nil) == "401")
    }
  }

  // MARK: Python

  private static let python = """
    from agent_module import Module, ModuleError, Reply, Route

    module = Module("snake", "1.0.0")


    @module.route("sum")
    class Sum(Route):
        async def respond(self, request):
            terms = request.json()["terms"]
            if terms == "die":
                raise KeyError("terms")
            if not terms:
                raise ModuleError("conflict", "There is nothing to add.")
            return Reply({"sum": sum(terms), "by": request.principal}, status=201)


    @module.route("file")
    class File(Route):
        async def respond(self, request):
            return Reply(request.parameters["path"].encode() + b"\\xff", "application/x-bytes")


    if __name__ == "__main__":
        module.run()
    """

  @Test func `routes in Python are served`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.addPython(
        "snake", main: Self.python,
        manifest: [
          "name": "snake", "version": "1.0.0", "command": ["python3", "main.py"],
          "routes": [
            "sum": ["method": "POST", "path": "sum", "input": ["type": "object"]],
            "file": ["path": "files/{path...}"],
          ],
        ])
      try agent.settings(modules: ["snake"], processes: [:])
      try await agent.run()
      func sum(_ body: String) async throws -> ManagementClient.Answer {
        try await agent.client.answer(
          "POST", "/modules/snake/sum", headers: ["Content-Type: application/json"], body: body)
      }
      let made = try await sum(#"{"terms":[1,2,39]}"#)
      #expect(made.status == 201, "\(made)")
      #expect(try JSONValue(parsing: made.body)["sum"] == 42)
      let empty = try await sum(#"{"terms":[]}"#)
      #expect(empty.status == 409)
      #expect(empty.body.contains("There is nothing to add."))
      #expect(try await sum(#"{"terms":"die"}"#).status == 502)
      let file = try await agent.client.answer("GET", "/modules/snake/files/a/b.txt")
      #expect(file.headers["content-type"] == "application/x-bytes")
      #expect(file.headers["content-length"] == "8")
    }
  }

  // MARK: Swift

  @Test(.timeLimit(.minutes(10))) func `routes in Swift are served`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.folder.write(
        "modules/shop/Entry.swift",
        """
        import AgentKit

        @_cdecl("agent_module_v1")
        public func agentModule() -> UnsafeRawPointer? { module.descriptor }
        """)
      try agent.folder.write("modules/shop/Module.swift", Self.swift)
      try agent.write(
        [
          "name": "shop", "version": "1.0.0", "abi": 1, "library": "libshop.so",
          "routes": [
            "order": ["method": "PUT", "path": "orders/{id}", "input": ["type": "object"]],
            "list": ["path": "orders", "scope": "administer"],
          ],
        ], of: "shop")
      try agent.settings(modules: ["shop"], processes: [:])
      let cache = ["XDG_CACHE_HOME": "\(Places.executables)/sdk-cache"]
      let built = try await agent.background(["build", "shop"], variables: cache)
        .finished(within: .seconds(400))
      #expect(built.status == 0, "\(built.errors)\(built.output)")
      try await agent.run()
      let made = try await agent.client.answer(
        "PUT", "/modules/shop/orders/7", headers: ["Content-Type: application/json"],
        body: #"{"item":"tea"}"#)
      #expect(made.status == 201, "\(made)")
      #expect(made.headers["location"] == "/modules/shop/orders/7")
      let list = try await agent.client.answer("GET", "/modules/shop/orders?limit=1")
      #expect(try JSONValue(parsing: list.body) == ["orders": [["7": "tea"]], "limit": "1"])
      let wrong = try await agent.client.answer(
        "PUT", "/modules/shop/orders/8", headers: ["Content-Type: application/json"], body: "{}")
      #expect(wrong.status == 400, "\(wrong)")
    }
  }

  private static let swift = """
    import AgentKit

    let module = Module("shop", version: "1.0.0") {
      Order.self
      List.self
    }

    struct Order: Route {
      struct Settings: Decodable, Sendable {}
      struct Body: Decodable { var item: String }

      static let name = "order"
      let host: AgentHost

      init(settings: Settings, host: AgentHost) { self.host = host }

      func respond(to request: RouteRequest) async throws -> RouteReply {
        let body = try request.decode(Body.self)
        let id = request.parameter("id")
        try await host.state.set(id, to: body.item)
        host.metrics.counter("orders_total").add()
        return RouteReply(status: 201, headers: ["location": "/modules/shop/orders/\\(id)"])
      }
    }

    struct List: Route {
      struct Settings: Decodable, Sendable {}

      static let name = "list"
      let host: AgentHost

      init(settings: Settings, host: AgentHost) { self.host = host }

      func respond(to request: RouteRequest) async throws -> RouteReply {
        var orders: [JSONValue] = []
        for id in try await host.state.keys() {
          orders.append(.object([id: try await host.state.get(id) ?? .null]))
        }
        return try .json([
          "orders": JSONValue.array(orders), "limit": .string(request.query("limit") ?? ""),
        ])
      }
    }
    """
}
