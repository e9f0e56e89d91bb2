import AgentJSON
import Testing

/// The REST API on the socket: what it refuses, and how.
@Suite struct ManagementTests {
  @Test func `events are published and found, and invalid ones are refused`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      let events: JSONValue = [["type": "note", "n": 1], ["type": "note", "n": 2], ["type": "x"]]
      #expect(try await agent.client.send("POST", "events", body: events).status == 201)
      let notes = try await agent.events("type:note")
      #expect(notes.compactMap { $0["n"]?.int } == [1, 2])
      #expect(notes.allSatisfy { $0["timestamp"]?.int != nil && $0["source"]?.string == "api" })
      for wrong in [[5], [[:]]] as [JSONValue] {
        #expect(try await agent.client.send("POST", "events", body: wrong).status == 400)
      }
      let query = try await agent.client.send("GET", "events?query=type:note%20n:%5B1")
      #expect(query.status == 400)
      #expect(query.error.contains("query:1:"), "\(query.error)")
    }
  }

  @Test func `a request that the API doesn't understand is refused, and the host continues`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      let client = agent.client
      #expect(try await client.send("GET", "nonsense").status == 404)
      let wrong = try await client.send("POST", "processes", body: ["name": "x", "typ": 5])
      #expect(wrong.status == 400)
      #expect(wrong.error.contains(#"unknown key "typ". Did you mean "type"?"#), "\(wrong.error)")
      let problem = wrong.body["problems"]?[0]
      #expect(problem?["pointer"] == "" && problem?["column"] == 13, "\(wrong.body)")
      let text = try await client.send("POST", "chat/messages", body: ["text": 5])
      #expect(text.body["problems"]?[0]?["expected"] == "a string", "\(text.body)")
      let event = try await client.send("POST", "events", body: [["type": "a"], 5])
      #expect(event.body["problems"]?[0]?["pointer"] == "/1", "\(event.body)")
      let head = "POST /api/v1/events HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
      let broken = try await client.send(
        raw: Array(
          "\(head)Content-Type: application/json\r\nContent-Length: 3\r\n\r\n{,}".utf8))
      #expect(broken.status == 400)
      #expect(broken.error.contains("line 1, column 2"), "\(broken.error)")
      _ = try? await client.send(raw: [0xff, 0, 0x0d, 0x0a, 0x0d, 0x0a])
      #expect(try await client.send("GET", "health/live").body == ["status": "ok"])
      #expect(try await client.send("POST", "stop").status == 202)
      #expect(try await agent.ended() == 0)
    }
  }
}
