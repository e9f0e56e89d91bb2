import AgentJSON
import Glibc
import Testing

/// Questions and starts while workers are replaced.
@Suite struct SwapTests {
  private static func settings(_ agent: AgentUnderTest, label: String) throws {
    try agent.settings(
      modules: ["ticker"],
      processes: [
        "a": ["type": "ticks", "label": .string(label)], "b": ["type": "ticks"],
      ])
  }

  @Test func `starts and calls while a worker stops slowly don't keep a change from ending`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker(["-DSLOW_STOP_MS=400"])
      try Self.settings(agent, label: "x0")
      try await agent.run()
      try await agent.process("a", "runs") { $0.state == "RUNNING" }
      let client = agent.client
      #expect(try await client.send("POST", "chat/messages", body: ["text": "tick?"]).status == 200)
      for swap in 1...4 {
        try Self.settings(agent, label: "x\(swap)")
        async let changed = client.send("POST", "reload")
        async let swapped = client.send("POST", "modules/ticker/reload")
        for _ in 0..<8 {
          let started = try await client.send("POST", "processes/a/start")
          #expect(started.status == 200, "\(started.error)")
          let answer = try await client.send("POST", "chat/messages", body: ["text": "tick?"])
          #expect(answer.status == 200, "\(answer.error)")
        }
        let first = try await changed
        #expect(first.status == 200, "\(first.error)")
        #expect(
          first.body["changes"]?.array?.allSatisfy { $0["problem"] == nil } == true,
          "\(first.body.text())")
        #expect(try await swapped.status < 500)
      }
      let dry = try await agent.agent("reload", "--dry-run")
      #expect(dry.status == 0, "\(dry.errors)")
      #expect(try await client.send("GET", "status").body["change"]?.isNull == true)
    }
  }

  @Test func `a reload of the port lets requests in progress finish`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try Self.port(agent, access: false)
      try await agent.run()
      let old = try await agent.port()
      let body = #"{"name": "later", "type": "command", "run_command": "sleep 3"}"#
      let created = try await old.send("POST", "/api/v1/tasks", body: body)
      let id = try #require(created.body["id"]?.string, "\(created.text)")
      #expect(try await old.send("POST", "/api/v1/tasks/\(id)/execute", body: "{}").status == 200)
      async let waited = old.send("GET", "/api/v1/tasks/\(id)/wait?wait_ms=20000")
      _ = try await eventually("it waits") {
        // It and the one that asks.
        let page = try await agent.client.answer("GET", "/metrics").body
        return page.contains("\nbulkhead_http_requests_in_flight 2\n") ? true : nil
      }
      try Self.port(agent, access: true)
      let reloaded = try await agent.agent("reload")
      #expect(reloaded.status == 0, "\(reloaded.errors)")
      let answer = try await waited
      #expect(answer.status == 200, "\(answer.text)")
      #expect(answer.body["status"] == "succeeded", "\(answer.text)")
      #expect(try await agent.port().send("GET", "/api/v1/health/live").status == 200)
      #expect(!agent.said.contains("shutdown error"), "\(agent.said)")
    }
  }

  private static func port(_ agent: AgentUnderTest, access: Bool) throws {
    let http: JSONObject = [
      "listen": "127.0.0.1:0", "allow_local_without_token": true, "access_log": .bool(access),
    ]
    try agent.settings(modules: ["ticker"], processes: [:], others: ["http": .object(http)])
  }
}
