import AgentJSON
import Glibc
import Testing

/// `agent bot run`: a command that is a bot.
@Suite struct BotRunTests {
  private func with(
    _ command: String, _ body: (AgentUnderTest, Child) async throws -> Void
  ) async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(
        modules: [], processes: [:],
        others: [
          "http": ["enabled": false], "tasks": ["types": ["job": ["executor": "bots"]]],
          // Longer than a host takes to come up again.
          "bots": ["lease": "10m", "heartbeat_timeout": "10m"],
        ])
      try await agent.run()
      let bot = try agent.background([
        "bot", "run", "Bo", "--capabilities", "work:job:3", "--command", command,
      ])
      _ = try await eventually("the bot is there", said: { bot.said }) {
        bot.said.contains("Ctrl-C stops it") ? true : nil
      }
      try await body(agent, bot)
      bot.signal(SIGTERM)
      #expect(try await bot.finished().status == 0)
      let bots = try await agent.client.send("GET", "bots")
      #expect(bots.body["bots"]?[0]?["status"] == "offline", "\(bots)")
    }
  }

  private func create(_ agent: AgentUnderTest, _ more: JSONObject = [:]) async throws -> String {
    var body: JSONObject = ["name": "a job", "type": "job", "status": "queued"]
    for (key, value) in more { body[key] = value }
    let made = try await agent.client.send("POST", "tasks", body: .object(body))
    #expect(made.status == 201, "\(made)")
    return made.body["id"]?.string ?? ""
  }

  private func ended(_ agent: AgentUnderTest, _ id: String) async throws -> JSONValue {
    try await agent.client.send("GET", "tasks/\(id)/wait?wait_ms=60000").body
  }

  @Test func `a command's output is the result, and its other lines are the task's log`()
    async throws
  {
    try await with("sh -c 'cat; echo; echo ::progress 50%; echo there >&2'") { agent, _ in
      let id = try await create(agent, ["input": ["word": "hello"]])
      let task = try await ended(agent, id)
      #expect(task["status"] == "succeeded", "\(task)")
      let said = task["result"]?["output"]?["stdout"]?.string ?? ""
      #expect(said.contains(#""data":{"word":"hello"}"#), "\(said)")
      #expect(task["result"]?["output"]?["exit_code"] == 0)
      let log = try await agent.client.send("GET", "tasks/\(id)/logs")
      let lines = log.body["lines"]?.array ?? []
      #expect(lines.contains { $0["stream"] == "stderr" && $0["text"] == "there" }, "\(log)")
      #expect(!lines.contains { $0["text"]?.string?.contains("::progress") == true })
    }
  }

  @Test func `a failed command fails the task by its own rules`() async throws {
    try await with("sh -c 'echo no way >&2; exit 3'") { agent, _ in
      let id = try await create(agent, ["retry": ["attempts": 2, "initial_ms": 1]])
      let task = try await ended(agent, id)
      #expect(task["status"] == "dead" && task["attempt"] == 2, "\(task)")
      #expect(task["result"]?["error"]?.string?.contains("no way") == true, "\(task)")
    }
  }

  @Test func `a cancelled task stops the command, and the bot continues`() async throws {
    try await with("sh -c 'test -f go || exec sleep 600'") { agent, _ in
      let id = try await create(agent)
      _ = try await eventually("it runs") {
        let task = try await agent.client.send("GET", "tasks/\(id)")
        return task.body["status"] == "running" ? true : nil
      }
      #expect(try await agent.client.send("POST", "tasks/\(id)/cancel", body: [:]).status == 200)
      let task = try await ended(agent, id)
      #expect(task["status"] == "cancelled", "\(task)")
      try agent.folder.write("go", "")
      let next = try await ended(agent, create(agent))
      #expect(next["status"] == "succeeded", "\(next)")
    }
  }

  @Test func `a bot that is stopped finishes its task and survives a new host`() async throws {
    try await with("sh -c 'until test -f go; do sleep 0.05; done'") { agent, bot in
      let id = try await create(agent)
      _ = try await eventually("it runs") {
        let task = try await agent.client.send("GET", "tasks/\(id)")
        return task.body["status"] == "running" ? true : nil
      }
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try await agent.run()
      bot.signal(SIGTERM)
      _ = try await eventually("it drains", said: { bot.said }) {
        bot.said.contains("takes no new tasks") ? true : nil
      }
      try agent.folder.write("go", "")
      let task = try await ended(agent, id)
      #expect(task["status"] == "succeeded" && task["attempt"] == 1, "\(task) \(bot.said)")
    }
  }
}
