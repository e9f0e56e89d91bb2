import AgentJSON
import Glibc
import Testing

/// A module in Python, through the host.
@Suite struct PythonTests {
  private static let main = """
    import os
    import subprocess

    from agent_module import (
        Action, Alert, Annotation, Answer, Datasource, Event, LogicAdapter, Module, ModuleError,
        Monitor, SlidingWindow, output_events, windows)

    module = Module("snake", "1.0.0")


    @module.datasource("counter")
    class Counter(Datasource):
        def __init__(self, settings, host):
            super().__init__(settings, host)
            if settings.get("step") == 13:
                raise ModuleError("invalid_settings", "13 brings bad luck.")

        async def run(self):
            n = 0
            while True:
                n += self.settings.get("step", 1)
                await self.host.events.publish(Event("count", {"n": n}))
                await self.host.sleep(0.02)


    @module.monitor("doubler")
    class Doubler(Monitor):
        async def run(self):
            async for batch in self.host.events.subscribe("type:count"):
                for event in batch.events:
                    await self.host.events.publish(Event("double", {"n": 2 * event.get("n")}))


    @module.monitor("total")
    class Total(Monitor):
        async def run(self):
            query = "given => sum(n) as total, count() as count over all every item"
            async for row in self.host.events.rows(query, "last 1 hour"):
                self.host.log(f"{row['count']} make {row['total']}")


    CURVES = ("ETIM", "POFR", "BRD1")


    @module.monitor("curves")
    class Curves(Monitor):
        async def run(self):
            columns = ", ".join(rf"lastv(value:object):if(\\mnemonic:{c}) as {c}" for c in CURVES)
            query = f'''
                raw_well1 mnemonic!:({"|".join(CURVES)}) .flags:nocount
                => {columns} over last second every second
                => @filter(ETIM != null)
                '''
            rows = self.host.events.rows(query, "last 1 hour")
            window = SlidingWindow(CURVES[1:], duration=10, index="ETIM", carry=2)
            async for kind, value in windows(rows, window, self.host):
                if kind == "moved":
                    text = f"{value.positions} {value.numbers('POFR')} {value.numbers('BRD1')}"
                    for said in (Alert(text, key="curves"), Annotation(text, uid="curves")):
                        output = self.settings.get("output")
                        await self.host.events.publish(
                            *output_events(output, said, self.host.now()))


    @module.monitor("archive")
    class Archive(Monitor):
        async def run(self):
            async for batch in self.host.events.consume("given", "archive", start="oldest"):
                for event in batch.events:
                    await self.host.events.publish(Event("archived", {"n": event.get("n")}))


    @module.datasource("parent")
    class Parent(Datasource):
        async def run(self):
            child = subprocess.Popen(["/bin/sleep", "1000"], start_new_session=True)
            self.host.log(f"child {child.pid}")
            while True:
                await self.host.sleep(60)


    @module.logic_adapter("latest")
    class Latest(LogicAdapter):
        async def respond(self, statement):
            if "count" not in statement.text:
                return None
            found = await self.host.events.query("type:count", limit=1)
            return Answer(f"at {found.events[-1].get('n')}", 0.8)


    @module.action("divide")
    class Divide(Action):
        async def perform(self, input, progress):
            return input["a"] / input["b"]


    if __name__ == "__main__":
        module.run()

    """

  private static let manifest: JSONObject = [
    "name": "snake", "version": "1.0.0", "command": ["python3", "main.py"],
    "processes": [
      "counter": [
        "kind": "datasource",
        "settings": [
          "type": "object", "properties": ["step": ["type": "integer", "maximum": 100]],
        ],
      ],
      "doubler": ["kind": "monitor", "settings": ["type": "object"]],
      "total": ["kind": "monitor", "settings": ["type": "object"]],
      "curves": [
        "kind": "monitor",
        "settings": ["type": "object", "properties": ["output": ["$ref": "agent:output"]]],
      ],
      "archive": ["kind": "monitor", "settings": ["type": "object"]],
      "parent": ["kind": "datasource", "settings": ["type": "object"]],
    ],
    "logic_adapters": ["latest": ["title": "Latest"]],
    "actions": ["divide": ["title": "Divides"]],
  ]

  private func with(
    _ processes: JSONObject, _ body: (AgentUnderTest) async throws -> Void
  ) async throws {
    try await AgentUnderTest.with { agent in
      try agent.addPython("snake", main: Self.main, manifest: Self.manifest)
      try agent.settings(modules: ["snake"], processes: processes)
      try await body(agent)
    }
  }

  @Test func `a window slides over live-agent's query of curves, and findings are published`()
    async throws
  {
    let output: JSONObject = [
      "author": ["id": 2, "name": "Curves"], "room": "ops",
      "dashboard": ["id": 17, "name": "Well 1"],
      "message_event": ["event_type": "raw_well1", "mnemonic": "MSG"],
    ]
    try await with(["curves": ["type": "curves", "output": .object(output)]]) { agent in
      let start = (Int(time(nil)) - 600) * 1000
      let values: [(Int, String, Int)] = [
        (0, "ETIM", 5), (0, "POFR", 1), (0, "BRD1", 10), (1, "ETIM", 6), (1, "POFR", 2),
        (3, "ETIM", 8), (3, "POFR", 3), (4, "POFR", 4), (4, "BRD1", 40), (11, "ETIM", 16),
        (11, "POFR", 5), (11, "BRD1", 50),
      ]
      let lines = values.map { second, mnemonic, value in
        #"{"type": "raw_well1", "timestamp": \#(start + second * 1000 + 1), "#
          + #""mnemonic": "\#(mnemonic)", "value": \#(value)}"#
      }
      try agent.folder.write("curves.jsonl", lines.joined(separator: "\n"))
      try await agent.run()
      let published = try await agent.piping("curves.jsonl", into: ["events", "publish", "-"])
      #expect(published.status == 0, "\(published.errors)")
      #expect(try await agent.agent("process", "restart", "curves").status == 0)
      let text = "[6, 16] [2, 5] [10, 50]"
      let alert = try await eventually("the window has slid to its end", said: { agent.said }) {
        try await agent.events("type:alert").last { $0["text"]?.string == text }
      }
      #expect(alert["key"] == "curves" && alert["author"] == ["id": 2, "name": "Curves"])
      let channel = try await agent.events("type:raw_well1").last { $0["MSG"] != nil }
      #expect(channel?["MSG"]?["value"]?.string == text)
      let note = try await eventually("the annotation has taken the place of those before") {
        let notes = try await agent.events("type:__annotations")
        return notes.last?["message"]?.string == text && notes.count == 1 ? notes.last : nil
      }
      #expect(note["dashboardId"] == 17 && note["author"] == "Curves")
      try agent.folder.write("note.json", note.text())
      let schema = "\(Places.repository)/SDK/schemas/annotation.event.json"
      let fits = try await agent.agent("schema", "check", schema, "note.json")
      #expect(fits.status == 0, "\(fits.output)\(fits.errors)")
    }
  }

  @Test func `a Python module publishes, reacts, answers and acts`() async throws {
    let processes: JSONObject = [
      "numbers": ["type": "counter", "step": 3], "twice": ["type": "doubler"],
    ]
    try await with(processes) { agent in
      try await agent.run()
      let doubled = try await eventually("a number is doubled", said: { agent.said }) {
        try await agent.events("type:double").first
      }
      #expect((doubled["n"]?.int ?? 1) % 6 == 0)
      #expect(doubled["source"]?.string == "twice")
      let answer = try await agent.agent("ask", "what is the count?")
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.hasPrefix("at "))
      let path = "modules/snake/actions/divide"
      #expect(try await agent.client.send("POST", path, body: ["a": 7, "b": 2]).body.double == 3.5)
      let failed = try await agent.client.send("POST", path, body: ["a": 7, "b": 0])
      #expect(failed.status == 500)
      #expect(failed.error.contains("division by zero"), "\(failed.error)")
      let status = try await agent.status("all run") { $0["twice"]?.state == "RUNNING" }
      #expect(["full", "partial"].contains(status["numbers"]?.sandbox ?? ""))
    }
  }

  private func give(_ range: ClosedRange<Int>, to agent: AgentUnderTest) async throws {
    let events = range.map { ["type": "given", "n": JSONValue($0)] as JSONValue }
    #expect(try await agent.client.send("POST", "events", body: .array(events)).status == 201)
  }

  @Test func `a module's own query reads the past and continues live`() async throws {
    try await with(["total": ["type": "total"]]) { agent in
      try await agent.run()
      try await give(1...3, to: agent)
      try await agent.process("total", "runs") { $0.state == "RUNNING" }
      try await give(4...4, to: agent)
      try await agent.record(of: "total", with: "4 make 10")
    }
  }

  @Test func `a durable consumer continues after its worker and host were killed`() async throws {
    try await with(["keeper": ["type": "archive"]]) { agent in
      func archived(_ count: Int) async throws -> [Int] {
        try await eventually("\(count) are archived", said: { agent.said }) {
          let numbers = try await agent.events("type:archived").compactMap { $0["n"]?.int }
          return Set(numbers).count >= count ? numbers : nil
        }
      }
      try await agent.run()
      try await give(1...3, to: agent)
      #expect(try await archived(3) == [1, 2, 3])
      let worker = try await agent.process("keeper", "runs") { $0.state == "RUNNING" }
      kill(pid_t(try #require(worker.pid)), SIGKILL)
      try await give(4...6, to: agent)
      _ = try await archived(6)
      #expect(try await agent.agent("process", "stop", "keeper").status == 0)
      try await give(7...9, to: agent)
      agent.signal(SIGKILL)
      _ = try await agent.ended()

      try await agent.run()
      let all = try await archived(9)
      // At least once: what was being dealt with when the end came may be there twice.
      #expect(Set(all) == Set(1...9))
      let last = try #require(all.lastIndex(of: 6))
      #expect(all[(last + 1)...].allSatisfy { $0 > 6 }, "\(all)")
      let listed = try await agent.agent("events", "consumers")
      #expect(listed.output.contains("keeper/archive"), "\(listed.output)")
      #expect(try await agent.agent("events", "forget", "keeper/archive").status == 0)
    }
  }

  @Test func `settings that the schema or the module refuses are reported`() async throws {
    try await with(["numbers": ["type": "counter", "step": 1000]]) { agent in
      let checked = try await agent.agent("validate")
      #expect(checked.status == 1)
      #expect(checked.output.contains("processes.numbers.step: "), "\(checked.output)")
    }
    try await with(["numbers": ["type": "counter", "step": 13]]) { agent in
      try await agent.run()
      let numbers = try await agent.process("numbers", "is FAILED") { $0.state == "FAILED" }
      #expect(numbers.reason.contains("13 brings bad luck."), "\(numbers.reason)")
    }
  }

  @Test func `a syntax error is shown by build and logged`() async throws {
    try await with(["numbers": ["type": "counter"]]) { agent in
      try agent.folder.write("modules/snake/main.py", "def broken(:\n")
      let built = try await agent.agent("build", "snake")
      #expect(built.status == 1)
      #expect(built.errors.contains("main.py:1:"), "\(built.errors)")
      try await agent.run()
      try await agent.process("numbers", "is FAILED") { $0.state == "FAILED" }
      try await agent.record(of: "numbers", with: "SyntaxError")
    }
  }

  @Test func `a killed worker's children end with it`() async throws {
    let parent: JSONValue = ["type": "parent", "sandbox": "off", "restart": "temporary"]
    try await with(["p": parent]) { agent in
      try await agent.run()
      let record = try await agent.record(of: "p", with: "child ")
      let child = try #require(Int(record["message"]?.string?.dropFirst(6) ?? ""))
      let worker = try await agent.process("p", "runs") { $0.state == "RUNNING" }
      #expect(ProcessTable.isAlive(child))
      kill(pid_t(try #require(worker.pid)), SIGKILL)
      _ = try await eventually("its child has ended", within: .longest) {
        ProcessTable.isAlive(child) ? nil : true
      }
    }
  }
}
