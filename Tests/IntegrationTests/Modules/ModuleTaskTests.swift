import AgentJSON
import Glibc
import Testing

/// Modules that queue tasks, are bots, and get the changes of both, in real workers.
@Suite struct ModuleTaskTests {
  private static let main = """
    import asyncio

    from agent_module import Action, Event, Module, ModuleError, Monitor

    module = Module("crew", "1.0.0")
    WATCHED = ("bot_registered | bot_status_changed | task_queued | task_assigned"
               " | assignment_completed")


    @module.monitor("painter")
    class Painter(Monitor):
        async def run(self):
            await self.host.tasks.serve("Painter", ["paints:paint:10"], self.paint)

        async def paint(self, work):
            await work.report(0.5, "half of it")
            await work.log("it is wet")
            if work.input == "wait":
                await self.host.events.publish(Event("painting", {"attempt": work.task["attempt"]}))
                if work.task["attempt"] < 2:
                    await asyncio.sleep(3600)
            return {"painted": work.input}


    @module.action("sweep")
    class Sweep(Action):
        async def perform(self, input, progress):
            self.host.log("I sweep")
            progress.report(0.25, "a quarter")
            await asyncio.to_thread(self.host.log, "it is dusty", "warning")
            print("this is nobody's", flush=True)
            return input


    @module.monitor("boss")
    class Boss(Monitor):
        async def run(self):
            tasks = self.host.tasks
            bot = await tasks.register_bot("Hand", ["hands:carry"])
            task = await tasks.queue_task("Stones", "carry", [1, 2], priority="high")
            offer = (await tasks.offers(bot["id"], wait=60))[0]
            await tasks.accept(offer["id"], lease=60)
            await tasks.complete(offer["id"], sum(offer["task"]["input"]))
            done = await tasks.wait_for_task(task["id"])
            refused = {}
            for name, input in (("command", {"run_command": "true"}), ("http", {})):
                try:
                    await tasks.queue_task("No", name, **input)
                except ModuleError as error:
                    refused[name] = error.code
            await tasks.set_strategy("load_balanced")
            waiting = await tasks.create_task("Waits", "carry")
            given = await tasks.assign_task(waiting["id"])
            await tasks.cancel_task(waiting["id"])
            await self.host.events.publish(Event("told", {
                "done": done, "refused": refused, "strategy": await tasks.strategy(),
                "given": given, "bot": await tasks.bot_statistics(bot["id"]),
                "system": await tasks.system_statistics(),
                "listed": len(await tasks.list_tasks(status=["succeeded"]))}))
            await self.host.sleep(3600)


    @module.monitor("watcher")
    class Watcher(Monitor):
        async def run(self):
            batches = self.host.events.subscribe(WATCHED).__aiter__()
            first = asyncio.ensure_future(batches.__anext__())
            await asyncio.sleep(0)
            await self.host.events.publish(Event("watching"))
            batch = await first
            while True:
                for event in batch.events:
                    seen = {"what": event.type}
                    for name in ("task", "bot", "assignment"):
                        if event.get(name) is not None:
                            seen[name] = event.get(name)
                    await self.host.events.publish(Event("seen", seen))
                batch = await batches.__anext__()


    if __name__ == "__main__":
        module.run()

    """

  private static let manifest: JSONObject = [
    "name": "crew", "version": "1.0.0", "command": ["python3", "main.py"],
    "processes": [
      "painter": ["kind": "monitor", "settings": ["type": "object"]],
      "boss": ["kind": "monitor", "settings": ["type": "object"]],
      "watcher": ["kind": "monitor", "settings": ["type": "object"]],
    ], "actions": ["sweep": [:]],
  ]

  private func with(
    _ process: String, _ body: (AgentUnderTest) async throws -> Void
  ) async throws {
    try await AgentUnderTest.with { agent in
      try agent.addPython("crew", main: Self.main, manifest: Self.manifest)
      try agent.settings(
        modules: ["crew"], processes: [process: ["type": .string(process)]],
        others: [
          "modules": ["crew": ["permissions": ["tasks": ["assignment_strategy"]]]],
          "tasks": ["types": ["paint": ["executor": "bots"], "carry": ["executor": "bots"]]],
        ])
      try await agent.run()
      try await body(agent)
    }
  }

  private func first(_ query: String, _ agent: AgentUnderTest) async throws -> JSONValue {
    try await eventually(query) { try await agent.events(query).first }
  }

  private func paint(_ agent: AgentUnderTest, _ input: JSONValue) async throws -> JSONValue {
    let made = try await agent.client.send(
      "POST", "tasks",
      body: [
        "name": "wall", "type": "paint", "input": input, "status": "queued",
        "retry": ["attempts": 3, "initial_ms": 1],
      ])
    #expect(made.status == 201, "\(made)")
    return made.body
  }

  private func ended(_ agent: AgentUnderTest, _ task: JSONValue) async throws -> JSONValue {
    let id = task["id"]?.string ?? ""
    let done = try await agent.client.send("GET", "tasks/\(id)/wait?wait_ms=120000")
    #expect(done.status == 200, "\(done)")
    return done.body
  }

  @Test func `a module queues and assigns tasks, reads statistics and switches the strategy`()
    async throws
  {
    try await with("boss") { agent in
      let told = try await first("told", agent)
      #expect(told["done"]?["status"] == "succeeded" && told["done"]?["priority"] == 750, "\(told)")
      #expect(told["done"]?["result"]?["output"] == 3)
      #expect(told["done"]?["created_by"] == "process:boss")
      #expect(told["refused"] == ["command": "unsupported", "http": "unsupported"])
      #expect(told["strategy"] == "load_balanced")
      #expect(told["given"]?["status"] == "pending")
      #expect(told["bot"]?["completed"] == 1)
      #expect(told["system"]?["total_bots"] == 1 && told["listed"] == 1)
      // A call that comes as soon as it runs is answered.
      let boss = try await agent.process("boss", "runs") { $0.state == "RUNNING" }
      #expect(boss.restarts == 0)
    }
  }

  @Test func `a module's bot performs tasks, loses them with its worker and returns`()
    async throws
  {
    try await with("painter") { agent in
      let done = try await ended(agent, paint(agent, "red"))
      #expect(done["status"] == "succeeded", "\(done)")
      #expect(done["result"]?["output"] == ["painted": "red"])
      #expect(done["progress"] == ["percent": 50, "message": "half of it"])
      let bot = done["bot"]
      let logs = try await agent.client.send("GET", "tasks/\(done["id"]?.string ?? "")/logs")
      #expect(logs.body["lines"]?[0]?["text"] == "it is wet", "\(logs)")
      let task = try await paint(agent, "wait")
      _ = try await first("painting", agent)
      let process = try await agent.process("painter", "runs") { $0.state == "RUNNING" }
      kill(pid_t(try #require(process.pid)), SIGKILL)
      let again = try await ended(agent, task)
      #expect(again["status"] == "succeeded" && again["attempt"] == 2, "\(again)")
      #expect(again["bot"] == bot)
      let bots = try await agent.client.send("GET", "bots")
      #expect(bots.body["bots"]?.array?.count == 1, "\(bots)")
    }
  }

  @Test func `an action's log and progress are its task's`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.addPython("crew", main: Self.main, manifest: Self.manifest)
      try await agent.addTicker()
      try agent.settings(modules: ["crew", "ticker"], processes: [:])
      try await agent.run()
      for example in [
        (type: "sweep", input: ["room": 1], lines: ["info I sweep", "warning it is dusty"]),
        (type: "echo", input: ["word": "a"], lines: ["notice echoing"]),
      ] as [(type: String, input: JSONValue, lines: [String])] {
        let made = try await agent.client.send(
          "POST", "tasks",
          body: [
            "name": "a", "type": .string(example.type), "input": example.input, "status": "queued",
          ])
        let done = try await ended(agent, made.body)
        #expect(done["status"] == "succeeded", "\(done)")
        if example.type == "sweep" {
          #expect(done["progress"] == ["percent": 25, "message": "a quarter"], "\(done)")
        }
        let logs = try await agent.client.send("GET", "tasks/\(done["id"]?.string ?? "")/logs")
        let said = logs.body["lines"]?.array?.map {
          "\($0["stream"]?.string ?? "") \($0["text"]?.string ?? "")"
        }
        #expect(said == example.lines, "\(logs)")
      }
      // They are in the agent's log as well, with what belongs to no call.
      let log = try await eventually("the log has all") {
        let log = try await agent.agent("logs", "--lines", "1000").output
        return log.contains("nobody's") ? log : nil
      }
      for words in ["I sweep", "it is dusty", "echoing"] { #expect(log.contains(words), "\(log)") }
    }
  }

  @Test func `a module gets complete events of bots, tasks and assignments`() async throws {
    try await with("watcher") { agent in
      _ = try await first("watching", agent)
      let bot = try await agent.client.send(
        "POST", "bots",
        body: ["name": "Brush", "capabilities": [["name": "paints", "task_types": ["paint"]]]])
      let id = bot.body["id"]?.string ?? ""
      _ = try await agent.client.send("PUT", "bots/\(id)/status", body: ["status": "offline"])
      _ = try await agent.client.send("PUT", "bots/\(id)/status", body: ["status": "online"])
      let task = try await paint(agent, "red")
      let offers = try await agent.client.send("GET", "bots/\(id)/assignments?wait_ms=60000")
      let offer = offers.body["assignments"]?[0]?["id"]?.string ?? ""
      _ = try await agent.client.send("POST", "assignments/\(offer)/accept", body: [:])
      _ = try await agent.client.send("POST", "assignments/\(offer)/complete", body: ["result": 1])
      _ = try await ended(agent, task)
      let last = try await first("seen%20what:assignment_completed", agent)
      #expect(last["task"]?["id"] == task["id"] && last["task"]?["status"] == "succeeded")
      #expect(last["task"]?["input"] == "red" && last["task"]?["result"]?["output"] == 1)
      #expect(last["bot"]?["name"] == "Brush" && last["bot"]?["capabilities"] != nil)
      #expect(last["assignment"]?["status"] == "completed")
      let registered = try await first("seen%20what:bot_registered", agent)
      #expect(registered["bot"]?["id"] == .string(id) && registered["bot"]?["status"] == "online")
      #expect(registered["bot"]?["capabilities"]?[0]?["name"] == "paints", "\(registered)")
      let changed = try await first("seen%20what:bot_status_changed", agent)
      #expect(changed["bot"]?["status"] == "offline" && changed["bot"]?["name"] == "Brush")
      let queued = try await first("seen%20what:task_queued", agent)
      #expect(queued["task"]?["id"] == task["id"] && queued["task"]?["input"] == "red")
      let assigned = try await first("seen%20what:task_assigned", agent)
      #expect(assigned["task"]?["status"] == "assigned" && assigned["bot"]?["name"] == "Brush")
      #expect(assigned["assignment"]?["id"] == .string(offer), "\(assigned)")
    }
  }

  @Test func `every task method matches an operation of the API in its words`() async throws {
    let page = try TemporaryFolder.bytes(ofFile: "\(Places.repository)/docs/module-tasks.md")
    let rows = String(decoding: page, as: UTF8.self).split(separator: "\n").filter {
      $0.hasPrefix("| `") && $0.split(separator: "|").count == 3
    }
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      let answer = try await agent.client.answer("GET", "/api/openapi.json")
      let document = try JSONValue(parsing: answer.body)
      let operations = Set(APIOperation.all(in: document).map(\.name))
      #expect(rows.count > 20 && operations.count > rows.count)
      for row in rows {
        let names = row.split(separator: "|")[0].split(separator: "`").filter { $0.contains("_") }
        for name in names where name != "get_assignment_strategy" {
          #expect(operations.contains(String(name)), "\(name)")
        }
      }
    }
  }
}
