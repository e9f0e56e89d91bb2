import AgentJSON
import Testing

/// What all routes of the API share, on the socket of a real agent.
struct APITests {
  /// The head and the body of an answer, as they came.
  private func send(
    _ agent: AgentUnderTest, _ head: String, headers: [String], body: String = ""
  ) async throws -> ManagementClient.Reply {
    let lines =
      ["\(head) HTTP/1.1", "Host: agent", "Connection: close"] + headers
      + ["Content-Type: application/json", "Content-Length: \(body.utf8.count)", "", body]
    return try await agent.client.send(raw: Array(lines.joined(separator: "\r\n").utf8))
  }

  @Test func `a request repeated with its key is done once`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      func publish(_ key: String, _ body: String) async throws -> ManagementClient.Reply {
        try await send(
          agent, "POST /api/v1/events", headers: ["Idempotency-Key: \(key)"], body: body)
      }
      for _ in 1...3 {
        let reply = try await publish("one", #"{"type": "once"}"#)
        #expect(reply.status == 201 && reply.body == ["accepted": 1], "\(reply.body)")
      }
      #expect(try await agent.events("once").count == 1)
      let other = try await publish("one", #"{"type": "other"}"#)
      #expect(other.status == 422 && other.body["code"] == "key_reused", "\(other.body)")
      // The host forgets a refused request: it may be corrected.
      #expect(try await publish("two", "{}").status == 400)
      #expect(try await publish("two", #"{"type": "once"}"#).status == 201)
      #expect(try await agent.events("once").count == 2)
    }
  }

  @Test func `settings are patched unless somebody changed them meanwhile`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      let before = try await agent.client.send("GET", "settings").body
      #expect(before["processes"] == [:])
      func patch(_ headers: [String], _ body: String) async throws -> ManagementClient.Reply {
        try await send(agent, "PATCH /api/v1/settings", headers: headers, body: body)
      }
      let change = #"{"logging": {"level": "debug"}}"#
      #expect(try await patch([#"If-Match: "0""#], change).status == 412)
      let done = try await patch([], change)
      #expect(done.status == 200 && done.body["dry_run"] == false, "\(done.body)")
      #expect(try await agent.client.send("GET", "settings").body["logging"]?["level"] == "debug")
      let wrong = try await patch([], #"{"logging": {"level": "loud"}}"#)
      #expect(wrong.status == 422 && wrong.error.contains("wrong"), "\(wrong.body)")
      #expect(try await agent.client.send("GET", "settings").body["logging"]?["level"] == "debug")
      // A hash opens nothing, and yet is nobody's business: what may be guessed at is not shown.
      let hash =
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$"
        + "RdescudvJCsgt3ub+b2dWRWJTmaaJObGRdescudvJCs"
      let user = #"{"access": {"users": {"ada": {"role": "viewer", "password": "\#(hash)"}}}}"#
      let added = try await patch([], user)
      #expect(added.status == 200, "\(added.body)")
      let shown = try await agent.client.send("GET", "settings").body
      #expect(shown["access"]?["users"]?["ada"]?["role"] == "viewer")
      #expect(!shown.text().contains("argon2id"), "\(shown)")
      #expect(try await patch([], #"{"logging": null}"#).status == 200)
      #expect(try await agent.client.send("GET", "settings").body["logging"] == nil)
    }
  }
}
