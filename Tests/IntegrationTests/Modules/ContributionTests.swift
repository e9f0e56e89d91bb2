import AgentJSON
import Testing

/// Adapters, actions and declared C functions, through the API and `agent ask`.
@Suite struct ContributionTests {
  @Test func `an adapter answers, and the most confident one is chosen`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(modules: ["ticker"], processes: [:])
      #expect(try await agent.agent("ask", "does it tick?").status == 3)
      try await agent.run()
      let answer = try await agent.agent("ask", "does", "it", "tick?")
      #expect(answer.status == 0)
      #expect(answer.output == "generation 1 ticks\n")
      let nobody = try await agent.agent("ask", "is it raining?")
      #expect(nobody.status == 1)
      #expect(nobody.output.contains("No logic adapter has an answer"))
      let (status, value) = try await agent.json("ask", "does it tick?")
      #expect(status == 0)
      #expect(value["text"]?.string == "generation 1 ticks")
    }
  }

  @Test func `an action accepts the input that its schema permits and no other`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(modules: ["ticker"], processes: [:])
      try await agent.run()
      #expect(
        AgentStatus(json: try await agent.json("status").value)["module:ticker"]?.state == "IDLE")
      let path = "modules/ticker/actions/echo"
      let echoed = try await agent.client.send("POST", path, body: ["word": "hello"])
      #expect(echoed.status == 200)
      #expect(echoed.body == ["word": "hello"])
      let wrong = try await agent.client.send("POST", path, body: ["word": 5])
      #expect(wrong.status == 400)
      #expect(wrong.error.contains("word: expected a string"), "\(wrong.error)")
      for unknown in ["modules/ticker/actions/ecko", "modules/nobody/actions/echo"] {
        #expect(try await agent.client.send("POST", unknown, body: [:]).status == 404)
      }
    }
  }

  @Test func `a call without an answer or with a crash fails alone`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker(["-DTROUBLE"])
      try agent.change("ticker") { $0["actions"] = ["echo": [:], "never": [:], "die": [:]] }
      try agent.settings(modules: ["ticker"], processes: ["clock": ["type": "ticks"]])
      try await agent.run()
      let clock = try await agent.process("clock", "runs") { $0.state == "RUNNING" }
      let actions = "modules/ticker/actions"
      let late = try await agent.client.send("POST", "\(actions)/never?timeout_ms=100", body: [:])
      #expect(late.status == 504, "\(late)")
      let crashed = try await agent.client.send("POST", "\(actions)/die", body: [:])
      #expect(crashed.status == 500)
      #expect(crashed.error.contains("SIGABRT"), "\(crashed.error)")
      let next = try await agent.client.send("POST", "\(actions)/echo", body: ["word": "again"])
      #expect(next.body == ["word": "again"], "\(next)")
      try await agent.isHealthy("clock", since: clock)
    }
  }

  @Test func `large, malformed and repeated answers are handled`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addMisbehaving()
      try agent.settings(modules: ["misbehaving"], processes: [:])
      try await agent.run()
      func probe(_ what: String) async throws -> ManagementClient.Reply {
        try await agent.client.send(
          "POST", "modules/misbehaving/actions/probe", body: ["try": .string(what)])
      }
      let large = try await probe("large")
      #expect(large.body.string?.utf8.count == (3 << 20) - 2)
      let text = try await probe("not-json")
      #expect(text.status == 500)
      #expect(text.error.contains("JSON"), "\(text.error)")
      #expect(try await probe("twice").body == 1)
      #expect(try await probe("parts").body == ["errno": 0])
      let service = try await agent.process("module:misbehaving", "runs") { $0.state == "RUNNING" }
      #expect(service.restarts == 0)
    }
  }

  @Test func `a service worker is stopped, started and restarted by name`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(modules: ["ticker"], processes: [:])
      try await agent.run()
      #expect(try await agent.agent("ask", "does it tick?").status == 0)
      let first = try await agent.process("module:ticker", "runs") { $0.state == "RUNNING" }
      let restarted = try await agent.agent("process", "restart", "module:ticker")
      #expect(restarted.status == 0, "\(restarted.errors)")
      try await agent.process("module:ticker", "is another") {
        $0.state == "RUNNING" && $0.pid != first.pid
      }
      #expect(try await agent.agent("process", "stop", "module:ticker").status == 0)
      try await agent.process("module:ticker", "is idle") { $0.pid == nil }
      #expect(try await agent.agent("ask", "does it tick?").status == 0)
    }
  }

  @Test func `C functions in the manifest are actions`() async throws {
    try await AgentUnderTest.with { agent in
      let library = try await FixtureBuilder.shared.library("functions.c")
      try agent.folder.link(library, as: "modules/plain/libplain.so")
      try agent.write(Self.functions, of: "plain")
      try agent.write(
        [
          "name": "absent", "version": "1.0.0",
          "functions": [
            "f": ["library": "libm.so.6", "symbol": "no_such_symbol", "returns": "void"]
          ],
        ], of: "absent")
      try agent.settings(modules: ["plain", "absent"], processes: [:])
      try await agent.run()
      func call(_ name: String, _ input: JSONValue) async throws -> ManagementClient.Reply {
        try await agent.client.send("POST", "modules/plain/actions/\(name)", body: input)
      }
      let power = try await call("pow", ["x": 2, "y": 10])
      #expect(power.body == ["result": 1024])
      let sum = try await call("add8", ["a": 100, "b": 27])
      #expect(sum.body == ["result": 127])
      let loud = try await call("shout", ["text": "quiet"])
      #expect(loud.body == ["result": "QUIET"])
      let wide = try await call("add8", ["a": 1000, "b": 1])
      #expect(wide.status == 400)
      #expect(wide.error.contains("a"), "\(wide.error)")
      #expect(try await call("add8", ["a": 1]).status == 400)
      let missing = try await agent.client.send("POST", "modules/absent/actions/f", body: [:])
      #expect(missing.status == 500)
      #expect(missing.error.contains("no_such_symbol"), "\(missing.error)")
    }
  }

  private static let functions: JSONObject = [
    "name": "plain", "version": "1.0.0",
    "functions": [
      "pow": [
        "library": "libm.so.6", "returns": "double",
        "parameters": [["name": "x", "type": "double"], ["name": "y", "type": "double"]],
      ],
      "add8": [
        "library": "libplain.so", "returns": "int8",
        "parameters": [["name": "a", "type": "int8"], ["name": "b", "type": "int8"]],
      ],
      "shout": [
        "library": "libplain.so", "returns": "string", "ownership": "free",
        "parameters": [["name": "text", "type": "string"]],
      ],
    ],
  ]

  @Test func `a trusted module runs inside the host`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(
        modules: ["ticker"], processes: ["clock": ["type": "ticks", "label": "inside"]],
        others: ["modules": ["ticker": ["isolation": "host"]]])
      try await agent.run()
      let clock = try await agent.process("clock", "runs") { $0.state == "RUNNING" }
      #expect(clock.json["isolation"]?.string == "host")
      _ = try await eventually("it ticks") {
        try await agent.events("type:tick").first { $0["label"]?.string == "inside" }
      }
      #expect(ProcessTable.pids(with: "AGENT_WORKER_OF=\(agent.folder.path)").isEmpty)
      #expect(try await agent.agent("ask", "does it tick?").output == "generation 1 ticks\n")
      let path = "modules/ticker/actions/echo"
      let echoed = try await agent.client.send("POST", path, body: ["word": "hello"])
      #expect(echoed.body == ["word": "hello"])
      try agent.settings(
        modules: ["ticker"], processes: ["clock": ["type": "ticks", "label": "changed"]],
        others: ["modules": ["ticker": ["isolation": "host"]]])
      let reload = try await agent.agent("reload")
      #expect(reload.output.contains("restart needed"), "\(reload.output)")
    }
  }

  @Test func `a sandboxed module reaches what it is permitted and nothing else`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addMisbehaving()
      try agent.change("misbehaving") { $0["permissions"] = ["read": ["/etc/passwd"]] }
      try agent.settings(modules: ["misbehaving"], processes: [:])
      try await agent.run()
      func errno(_ what: String) async throws -> Int? {
        try await agent.client.send(
          "POST", "modules/misbehaving/actions/probe", body: ["try": .string(what)]
        ).body["errno"]?.int
      }
      #expect(try await errno("read /etc/passwd") == 0)
      #expect(try await errno("read /etc/shadow") == 13)
      #expect(try await errno("write \(agent.folder.path)/written") == 13)
      #expect(try await errno("fork") == 1)
      #expect(try await errno("socket") != 0)
      #expect(!agent.folder.exists("written"))
    }
  }
}
