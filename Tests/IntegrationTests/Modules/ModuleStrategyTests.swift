import AgentJSON
import Testing

/// Strategies of modules: one that chooses, and those that don't do it well.
@Suite struct ModuleStrategyTests {
  private static let main = """
    import asyncio
    import time

    from agent_module import Assignment, Module, ModuleError, Strategy

    module = Module("chooser", "1.0.0")


    @module.strategy("named")
    class Named(Strategy):
        async def choose(self, task, candidates):
            wanted = task["input"]["wanted"]
            for candidate in candidates:
                if candidate["name"] == wanted:
                    return Assignment(candidate["id"], f"{wanted} was wanted")
            return Assignment(None, "nobody was wanted")


    @module.strategy("throws")
    class Throws(Strategy):
        async def choose(self, task, candidates):
            raise ModuleError("failed", "The dice are lost.")


    @module.strategy("stranger")
    class Stranger(Strategy):
        async def choose(self, task, candidates):
            return Assignment("bot-of-nobody")


    @module.strategy("hangs")
    class Hangs(Strategy):
        async def choose(self, task, candidates):
            await asyncio.sleep(3600)


    @module.strategy("blocks")
    class Blocks(Strategy):
        async def choose(self, task, candidates):
            time.sleep(3600)


    if __name__ == "__main__":
        module.run()

    """

  private static let manifest: JSONObject = [
    "name": "chooser", "version": "1.0.0", "command": ["python3", "main.py"],
    "strategies": ["named": [:], "throws": [:], "stranger": [:], "hangs": [:], "blocks": [:]],
  ]

  private func with(
    _ body: (AgentUnderTest, [String: String]) async throws -> Void
  ) async throws {
    try await AgentUnderTest.with { agent in
      try agent.addPython("chooser", main: Self.main, manifest: Self.manifest)
      try agent.settings(
        modules: ["chooser"], processes: [:], supervision: ["invoke_timeout_ms": 2_000],
        others: ["tasks": ["types": ["paint": ["executor": "bots"]]]])
      try await agent.run()
      var bots: [String: String] = [:]
      for (name, boost) in [("Ann", 0), ("Ben", 10)] as [(String, JSONValue)] {
        let capability: JSONValue = [
          "name": "paints", "task_types": ["paint"], "priority_boost": boost,
        ]
        let made = try await agent.client.send(
          "POST", "bots",
          body: ["name": .string(name), "max_concurrent_tasks": 9, "capabilities": [capability]])
        bots[name] = made.body["id"]?.string
      }
      try await body(agent, bots)
    }
  }

  private func choose(_ strategy: String, _ agent: AgentUnderTest) async throws {
    let chosen = try await agent.client.send(
      "PUT", "assignment-strategy", body: ["assignment_strategy": .string(strategy)])
    #expect(chosen.body == ["assignment_strategy": .string(strategy)], "\(chosen)")
  }

  private func create(_ agent: AgentUnderTest, wanted: String) async throws -> String {
    let made = try await agent.client.send(
      "POST", "tasks",
      body: [
        "name": "wall", "type": "paint", "status": "queued", "input": ["wanted": .string(wanted)],
      ])
    return try #require(made.body["id"]?.string)
  }

  /// The assignment of a task, once it has one.
  private func assignment(_ agent: AgentUnderTest, _ task: String) async throws -> JSONValue {
    try await eventually("task \(task) is assigned", within: .longest) {
      let found = try await agent.client.send("GET", "assignments?task=\(task)")
      return found.body["assignments"]?[0]
    }
  }

  @Test func `a module's strategy assigns a task or leaves it queued`() async throws {
    try await with { agent, bots in
      try await choose("chooser/named", agent)
      for name in ["Ann", "Ben"] {
        let given = try await assignment(agent, create(agent, wanted: name))
        #expect(given["bot_id"]?.string == bots[name], "\(given)")
        #expect(given["strategy"] == "chooser/named")
        #expect(given["decision"]?.text().contains("\(name) was wanted") == true, "\(given)")
      }
      let left = try await create(agent, wanted: "Zoe")
      let why = try await agent.client.send("GET", "tasks/\(left)/candidates")
      #expect(why.body["decision"]?.text().contains("nobody was wanted") == true, "\(why)")
      // By hand to the best is by the strategy, too.
      let best = try await agent.client.send(
        "POST", "assignments", body: ["task_id": .string(left)])
      #expect(best.status == 409 && best.error.contains("nobody was wanted"), "\(best)")
      let state = try await agent.client.send("GET", "tasks/\(left)")
      #expect(state.body["status"] == "queued")
    }
  }

  @Test(arguments: [
    ("throws", "The dice are lost."), ("stranger", "bot-of-nobody"),
    // It gets the deadline, and is sometimes the first to say so.
    ("hangs", "deadline|didn't answer within"), ("blocks", "didn't answer within"),
  ])
  func `a faulty strategy loses no task, and the reason is reported`(
    _ strategy: String, _ words: String
  ) async throws {
    try await with { agent, bots in
      try await choose("chooser/\(strategy)", agent)
      let tasks = [
        try await create(agent, wanted: "Ann"), try await create(agent, wanted: "Ann"),
      ]
      for task in tasks {
        let given = try await assignment(agent, task)
        #expect(given["bot_id"]?.string == bots["Ben"], "\(given)")
        #expect(given["strategy"] == "best_fit")
        let decision = given["decision"]?.text() ?? ""
        let isTold = words.split(separator: "|").contains { decision.contains($0) }
        #expect(decision.contains("chooser/\(strategy)") && isTold, "\(given)")
      }
      // The next one that is chosen is asked at once.
      try await choose("chooser/named", agent)
      let given = try await assignment(agent, create(agent, wanted: "Ann"))
      #expect(given["bot_id"]?.string == bots["Ann"], "\(given)")
    }
  }
}
