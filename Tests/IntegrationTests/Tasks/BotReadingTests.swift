import AgentJSON
import Testing

/// What a bot's own token reads of tasks, through the API.
@Suite struct BotReadingTests {
  /// A bot with its token.
  private struct Worker {
    let id: String
    let token: String
    let port: PortClient

    func send(
      _ method: String, _ path: String, body: String? = nil
    ) async throws -> PortClient.Reply {
      try await port.send(method, "/api/v1/\(path)", token: token, body: body)
    }

    /// Waits for the next offer.
    func offer() async throws -> String {
      try await eventually("an offer") {
        let offers = try await send("GET", "bots/\(id)/assignments?wait_ms=1000")
        return offers.body["assignments"]?[0]?["id"]?.string
      }
    }
  }

  private func worker(_ agent: AgentUnderTest, _ name: String) async throws -> Worker {
    let made = try await agent.client.send(
      "POST", "bots",
      body: [
        "name": .string(name), "capabilities": [["name": "p", "task_types": ["paint"]]],
      ])
    let id = try #require(made.body["id"]?.string, "\(made)")
    let token = try await agent.client.send(
      "POST", "tokens",
      body: ["name": .string(name), "scopes": ["read", "execute"], "bot": .string(id)])
    return Worker(
      id: id, token: try #require(token.body["token"]?.string), port: try await agent.port())
  }

  /// Accepts the next offer, and leaves a line, a file and a result that have this text.
  private func finish(_ worker: Worker, leaving text: String, more: String = "") async throws {
    let path = "assignments/\(try await worker.offer())"
    var replies = [try await worker.send("POST", "\(path)/accept", body: "{}")]
    replies.append(
      try await worker.send(
        "POST", "\(path)/heartbeat",
        body: #"{"progress": "\#(text)", "logs": [{"text": "\#(text)"}]}"#))
    replies.append(try await worker.send("PUT", "\(path)/artifacts/\(text).txt", body: text))
    replies.append(
      try await worker.send("POST", "\(path)/complete", body: #"{"result": "\#(text)"\#(more)}"#))
    #expect(replies.map(\.status) == [200, 200, 200, 200], "\(replies)")
  }

  @Test func `a bot reads no task that it rejected, and of others' attempts nothing`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.settings(
        modules: [], processes: [:],
        others: [
          "http": ["listen": "127.0.0.1:0"], "tasks": ["types": ["paint": ["executor": "bots"]]],
        ])
      try await agent.run()
      let first = try await worker(agent, "first")
      let made = try await agent.client.send(
        "POST", "tasks", body: ["name": "x", "type": "paint", "input": 1, "status": "queued"])
      let task = "tasks/\(made.body["id"]?.string ?? "")"
      let offer = try await first.offer()
      #expect(try await first.send("GET", task).body["input"] == 1)
      #expect(try await first.send("POST", "assignments/\(offer)/reject", body: "{}").status == 200)

      let second = try await worker(agent, "second")
      try await finish(second, leaving: "theirs", more: #", "success": false, "final": true"#)
      for path in ["", "/logs", "/artifacts", "/artifacts/theirs.txt"] {
        #expect(try await first.send("GET", task + path).status == 403, "\(path)")
        let reply = try await second.send("GET", task + path)
        #expect(reply.status == 200 && reply.text.contains("theirs"), "\(path): \(reply)")
      }
      // The next attempt is of another bot; the bot of the last one still reads that one alone.
      let third = try await worker(agent, "third")
      _ = try await agent.client.send("DELETE", "bots/\(first.id)")
      _ = try await agent.client.send(
        "PUT", "bots/\(second.id)/status", body: ["status": "draining"])
      let again = try await agent.client.send("POST", "\(task)/execute", body: ["data": "new data"])
      #expect(again.status == 200, "\(again)")
      try await finish(third, leaving: "others")
      for path in ["", "/logs", "/artifacts"] {
        let reply = try await second.send("GET", task + path)
        #expect(reply.status == 200 && reply.text.contains("theirs"), "\(path): \(reply)")
        #expect(!reply.text.contains("others") && !reply.text.contains("new data"), "\(reply)")
      }
      #expect(try await second.send("GET", "\(task)/artifacts/others.txt").status == 404)
    }
  }
}
