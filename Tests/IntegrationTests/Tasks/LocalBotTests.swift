import AgentJSON
import Glibc
import Testing

/// Bots that are actions of modules, in the module's worker and in that of a process.
@Suite struct LocalBotTests {
  static let main = """
    import asyncio
    import os

    from agent_module import Action, Datasource, Module

    module = Module("crew", "1.0.0")


    @module.datasource("desk")
    class Desk(Datasource):
        async def run(self):
            while True:
                await self.host.sleep(3600)


    @module.action("work")
    class Work(Action):
        async def perform(self, input, progress):
            progress.report(0.5, "half of it")
            if "crash" in input and not os.path.exists(input["crash"]):
                open(input["crash"], "w").close()
                os._exit(9)
            while "until" in input and not os.path.exists(input["until"]):
                await asyncio.sleep(0.02)
            if input.get("fails"):
                raise ValueError("It can't be done.")
            return {"pid": os.getpid(), "word": input.get("word")}


    if __name__ == "__main__":
        module.run()
    """

  static let manifest: JSONObject = [
    "name": "crew", "version": "1.0.0", "abi": 1, "command": ["python3", "main.py"],
    "processes": ["desk": ["kind": "datasource", "settings": ["type": "object"]]],
    "actions": ["work": ["title": "Works"]],
  ]

  static func settings(_ agent: AgentUnderTest, _ bots: JSONValue) throws {
    try agent.settings(
      modules: ["crew"], processes: ["desk": ["type": "desk", "sandbox": "off"]],
      others: ["modules": ["crew": ["sandbox": "off"]], "bots": bots])
  }

  static func bots(process: String? = nil) -> JSONValue {
    var bot: JSONObject = [
      "action": "crew/work", "max_concurrent_tasks": 4,
      "capabilities": [["name": "c", "task_types": ["crewing"]]],
    ]
    bot["process"] = process.map(JSONValue.string)
    return ["types": ["clerk"], "local": ["crew": .object(bot)]]
  }

  static func create(
    _ agent: AgentUnderTest, _ input: JSONObject, more: JSONObject = [:]
  ) async throws -> String {
    var body: JSONObject = [
      "name": "work", "type": "crewing", "status": "queued", "input": .object(input),
    ]
    for (key, value) in more { body[key] = value }
    let made = try await agent.client.send("POST", "tasks", body: .object(body))
    #expect(made.status == 201, "\(made)")
    return made.body["id"]?.string ?? ""
  }

  static func ended(_ agent: AgentUnderTest, _ task: String) async throws -> JSONValue {
    let reply = try await agent.client.send("GET", "tasks/\(task)/wait?wait_ms=120000")
    #expect(reply.status == 200, "\(reply)")
    return reply.body
  }

  @Test func `an action gets tasks by its capabilities, and its result is the task's`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.addPython("crew", main: Self.main, manifest: Self.manifest)
      try Self.settings(agent, Self.bots())
      try await agent.run()
      let done = try await Self.ended(agent, Self.create(agent, ["word": "hello"]))
      #expect(done["status"] == "succeeded" && done["bot"] == "crew", "\(done)")
      #expect(done["result"]?["output"]?["word"] == "hello")
      #expect(done["progress"]?["message"] == "half of it")
      let failed = try await Self.ended(agent, Self.create(agent, ["fails": true]))
      #expect(failed["status"] == "failed", "\(failed)")
      #expect(failed["result"]?["error"]?.string?.contains("can't be done") == true)
      // Its own types of bots are known, and others aren't.
      let auditor = try await agent.client.send(
        "POST", "bots", body: ["name": "a", "bot_type": "clerk"])
      #expect(auditor.status == 201)
      let unknown = try await agent.client.send(
        "POST", "bots", body: ["name": "a", "bot_type": "clrk"])
      #expect(unknown.body["detail"]?.string?.contains("Did you mean \"clerk\"?") == true)
      // The settings have it, and only they can take it away.
      #expect(try await agent.client.send("DELETE", "bots/crew").status == 409)
      try Self.settings(agent, ["local": [:]])
      #expect(try await agent.agent("reload").status == 0)
      #expect(try await agent.client.send("GET", "bots/crew").status == 404)
    }
  }

  @Test func `a process is a bot while it runs, and its tasks wait over a crash`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.addPython("crew", main: Self.main, manifest: Self.manifest)
      try Self.settings(agent, Self.bots(process: "desk"))
      try await agent.run()
      let pid = try await agent.process("desk", "runs") { $0.state == "RUNNING" }.pid
      let done = try await Self.ended(agent, Self.create(agent, [:]))
      #expect(done["result"]?["output"]?["pid"]?.int == pid, "\(done)")
      // It dies during the second, which isn't the task's failure.
      let marker = "\(agent.folder.path)/crashed"
      let second = try await Self.ended(agent, Self.create(agent, ["crash": .string(marker)]))
      #expect(second["status"] == "succeeded" && second["attempt"]?.int == 2, "\(second)")
      // Stopped, it takes nothing; started, it goes on.
      #expect(try await agent.agent("process", "stop", "desk").status == 0)
      let waiting = try await Self.create(agent, [:])
      let offline = try await agent.client.send("GET", "bots/crew")
      #expect(offline.body["status"] == "offline")
      #expect(try await agent.agent("process", "start", "desk").status == 0)
      #expect(try await Self.ended(agent, waiting)["status"] == "succeeded")
    }
  }

  @Test func `a task of a local bot that the host's death interrupts is done by the next host`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.addPython("crew", main: Self.main, manifest: Self.manifest)
      try Self.settings(agent, Self.bots(process: "desk"))
      try await agent.run()
      let gate = "\(agent.folder.path)/gate"
      let task = try await Self.create(agent, ["until": .string(gate)])
      _ = try await eventually("it has begun") {
        let row = try await agent.client.send("GET", "tasks/\(task)").body
        return row["status"] == "running" ? true : nil
      }
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try agent.folder.write("gate", "")
      try await agent.run()
      let done = try await Self.ended(agent, task)
      #expect(done["status"] == "succeeded" && done["bot"] == "crew", "\(done)")
    }
  }

  @Test func `a pool has as many instances as its tasks need and leaves none behind`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.addPython("crew", main: Self.main, manifest: Self.manifest)
      let pool: JSONValue = [
        "process": "desk", "max": 2, "target_queue_time": "100ms", "grow_after": "100ms",
        "shrink_after": "1s",
      ]
      var bots = Self.bots(process: "desk").object ?? [:]
      bots["local"] = [
        "crew": [
          "action": "crew/work", "process": "desk",
          "capabilities": [["name": "c", "task_types": ["crewing"]]],
        ]
      ]
      bots["pools"] = ["desks": pool]
      try Self.settings(agent, .object(bots))
      try await agent.run()
      let before = try await agent.status("it says what runs") { _ in true }
      #expect(before.processes.map(\.name) == ["module:crew"])
      let gate = "\(agent.folder.path)/gate"
      var tasks: [String] = []
      for _ in 0..<6 { tasks.append(try await Self.create(agent, ["until": .string(gate)])) }
      let pids = try await Self.pids(of: 2, agent)
      // The host is killed at its fullest: the next one starts anew, and with what there is to do.
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      try await agent.run()
      for pid in pids {
        _ = try await eventually("\(pid) is gone") { kill(pid_t(pid), 0) != 0 ? true : nil }
      }
      _ = try await Self.pids(of: 2, agent)
      let page = try await agent.json("bot", "pools")
      let shown = page.value["pools"]?.array?.first
      #expect(shown?["name"] == "desks" && shown?["instances"]?.array?.count == 2, "\(page)")
      try agent.folder.write("gate", "")
      for task in tasks { #expect(try await Self.ended(agent, task)["status"] == "succeeded") }
      _ = try await agent.status("all have been stopped", within: .seconds(120)) {
        $0.processes.map(\.name) == ["module:crew"]
      }
      let left = try await agent.client.send("GET", "bot-pools")
      #expect(left.body["pools"]?.array?.first?["instances"] == [], "\(left)")
      let metrics = try await agent.agent("metrics", "bulkhead_bot_pool")
      #expect(metrics.output.contains("bulkhead_bot_pool_instances"), "\(metrics)")
    }
  }

  private static func pids(of count: Int, _ agent: AgentUnderTest) async throws -> [Int] {
    let status = try await agent.status("\(count) instances run", within: .seconds(120)) {
      $0.processes.count { $0.state == "RUNNING" && $0.name.hasPrefix("desks-") } == count
    }
    return status.processes.compactMap(\.pid)
  }
}
