import AgentJSON
import Testing

/// What the port does with callers that aren't signed in.
@Suite struct DoorTests {
  private func with(
    _ http: JSONObject = [:], _ body: (AgentUnderTest, PortClient) async throws -> Void
  ) async throws {
    var settings: JSONObject = ["listen": "127.0.0.1:0"]
    for (key, value) in http { settings[key] = value }
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:], others: ["http": .object(settings)])
      try await agent.run()
      try await body(agent, try await agent.port())
    }
  }

  private func token(_ scope: String, _ agent: AgentUnderTest) async throws -> String {
    let reply = try await agent.client.send(
      "POST", "tokens", body: ["name": .string(scope), "scopes": [.string(scope)]])
    return try #require(reply.body["token"]?.string)
  }

  /// Sends a text, and returns what comes until the port closes the connection.
  private func answer(_ text: String, _ port: PortClient) async throws -> String {
    let client = try TCPClient(port: port.port)
    try await client.send(text)
    return await client.text()
  }

  /// The status that is answered to a request with these headers.
  private func status(
    _ path: String, headers: [String], port: PortClient
  ) async throws -> Int {
    let lines = ["GET \(path) HTTP/1.1"] + headers + ["Connection: close", "", ""]
    let reply = try await answer(lines.joined(separator: "\r\n"), port)
    return Int(reply.dropFirst(9).prefix(3)) ?? 0
  }

  @Test func `a body of lines holds a connection only on routes and for callers that may send one`()
    async throws
  {
    try await with(["limits": ["idle_seconds": 1]]) { agent, port in
      let read = try await token("read", agent)
      let execute = try await token("execute", agent)
      func head(_ method: String, _ path: String, token: String?) -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port.port)\r\n"
          + (token.map { "Authorization: Bearer \($0)\r\n" } ?? "")
          + "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
      }
      // Each of them ends by itself; the test hangs, and fails, where one doesn't.
      for example in [
        (method: "GET", path: "/api/v1/health/live", token: nil),
        (method: "POST", path: "/api/v1/sessions", token: nil),
        (method: "POST", path: "/api/v1/events", token: nil),
        (method: "POST", path: "/api/v1/events", token: read),
        (method: "POST", path: "/api/v1/tokens", token: read),
      ] as [(method: String, path: String, token: String?)] {
        _ = try await answer(head(example.method, example.path, token: example.token), port)
      }
      let client = try TCPClient(port: port.port)
      try await client.send(head("POST", "/api/v1/events", token: execute))
      let line = #"{"type": "slow"}"# + "\n"
      try await client.send("\(String(line.utf8.count, radix: 16))\r\n\(line)\r\n")
      let clock = ContinuousClock.now
      _ = try await eventually("several times as long as a body may drip") {
        ContinuousClock.now - clock > .seconds(4) ? true : nil
      }
      try await client.send("0\r\n\r\n", ends: true)
      #expect(await client.text().hasPrefix("HTTP/1.1 201"))
    }
  }

  @Test func `a client that expects 100-continue is told to send its body`() async throws {
    try await with { agent, port in
      let execute = try await token("execute", agent)
      func head(_ token: String) -> String {
        "POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n"
          + "Content-Type: application/json\r\nContent-Length: 14\r\nExpect: 100-continue\r\n"
          + "Connection: close\r\n\r\n"
      }
      let taken = try await answer(head(execute) + #"{"type": "ab"}"#, port)
      #expect(taken.hasPrefix("HTTP/1.1 100 Continue\r\n"), "\(taken)")
      #expect(taken.contains("HTTP/1.1 201"), "\(taken)")
      let refused = try await answer(head("bulkhead_a_b"), port)
      #expect(refused.hasPrefix("HTTP/1.1 401"), "\(refused)")
    }
  }

  @Test func `a stranger gets no more than a page in response`() async throws {
    try await with { _, port in
      let keys = (0..<200).map { "\"key\($0)\":1" }.joined(separator: ",")
      let few = try await port.send("POST", "/api/v1/sessions", body: "{\(keys)}")
      #expect(few.status == 400 && few.text.utf8.count < 100_000, "\(few.text.utf8.count)")
      let problems = few.body["problems"]?.array?.count ?? 0
      #expect(problems == 100, "\(problems)")
      let large = "{\"user\": \"\(String(repeating: "x", count: 5000))\"}"
      for path in ["sessions", "setup"] {
        let reply = try await port.send("POST", "/api/v1/\(path)", body: large)
        #expect(reply.status == 413, "\(reply.text)")
      }
    }
  }

  @Test func `a request names the agent once and has a well-encoded address`() async throws {
    try await with { _, port in
      let live = "/api/v1/health/live"
      let usual = try await status(live, headers: ["Host: localhost"], port: port)
      #expect(usual == 200)
      #expect(
        try await status("http://localhost\(live)", headers: ["Host: localhost"], port: port) == 200
      )
      #expect(
        try await status(live, headers: ["Host: localhost", "Host: localhost"], port: port) == 400)
      #expect(
        try await status(live, headers: ["Host: localhost", "Host: evil.example"], port: port)
          == 400)
      #expect(
        try await status(live, headers: ["Host: localhost:1@evil.example"], port: port) == 400)
      #expect(
        try await status("http://evil.example\(live)", headers: ["Host: localhost"], port: port)
          == 400)
      for path in ["/%", "/%+A", "/%00", "/%ff", "/a?b=%g1"] {
        #expect(try await status(path, headers: ["Host: localhost"], port: port) == 400, "\(path)")
      }
    }
  }

  @Test func `requests without a token block nobody else, and liveness is always answered`()
    async throws
  {
    let limits: JSONObject = ["requests_per_second": 1, "burst": 5]
    try await with(["trusted_proxies": ["127.0.0.1"], "limits": .object(limits)]) { _, port in
      @Sendable func ask(_ path: String, from address: String) async throws -> Int {
        var request = PortRequest(target: path)
        request.headers = [("X-Forwarded-For", "6.6.6.6, \(address)")]
        return try await request.send(to: port.port).status
      }
      // Five may come at once and one more each second: of twenty at once one is refused, or all of
      // them have taken fifteen seconds, and it is tried again.
      _ = try await eventually("one is refused") {
        let statuses = try await withThrowingTaskGroup(
          of: Int.self, returning: [Int].self
        ) { group in
          for _ in 0..<20 { group.addTask { try await ask("/api", from: "9.9.9.9") } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        return statuses.contains(429) ? true : nil
      }
      #expect(try await ask("/api", from: "8.8.8.8") == 200)
      for _ in 0..<20 { #expect(try await ask("/api/v1/health/live", from: "9.9.9.9") == 200) }
    }
  }

  @Test func `a browser's page can't publish events`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(
        modules: [], processes: [:],
        others: ["events": ["tcp": ["listen": "127.0.0.1:0", "type": "any"]]])
      try await agent.run()
      let client = try TCPClient(port: try await agent.openPort())
      try await client.send(
        "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n\r\n"
          + #"{"type":"process_failed","source":"agent","title":"forged"}"# + "\n")
      #expect(await client.text() == "")
      let status = try await agent.listener("counts") { $0["connections"] == 0 }
      #expect(status["accepted"] == 0 && status["refused"] == 1, "\(status)")
      #expect(try await agent.events("forged").isEmpty)
      let later = try TCPClient(port: try await agent.openPort())
      try await later.send("#" + #"{"n": 1}"# + "\nHost: x\n" + #"{"n": 2}"# + "\n")
      _ = await later.text()
      #expect(try await agent.events("type:any").isEmpty)
    }
  }

  @Test func `a single address can't take all connections`() async throws {
    try await with(["limits": ["connections": 8, "connections_per_address": 4]]) { _, port in
      let head = "GET /api/v1/health/live HTTP/1.1\r\nHost: 127.0.0.1:\(port.port)\r\n"
      func isServed(_ host: UInt32) async throws -> Bool {
        let client = try TCPClient(port: port.port, from: host)
        // One that was closed at once may be closed before anything is written.
        try? await client.send("\(head)Connection: close\r\n\r\n")
        return await client.text().hasPrefix("HTTP/1.1 200")
      }
      var held: [TCPClient] = []
      for _ in 0..<4 { held.append(try TCPClient(port: port.port, from: 2)) }
      _ = try await eventually("the address has as many as it may") {
        try await isServed(2) ? nil : true
      }
      #expect(try await isServed(3))
      #expect(try await isServed(1))
      held = []
      _ = try await eventually("it has fewer again") { try await isServed(2) ? true : nil }
    }
  }
}
