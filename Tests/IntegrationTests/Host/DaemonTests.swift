import AgentJSON
import Testing

/// `start`, `stop`, `restart`, `status`: the agent as a daemon.
@Suite struct DaemonTests {
  @Test func `start, status, restart and stop return their exit codes`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(
        modules: ["ticker"],
        processes: ["clock": ["type": "ticks"], "off": ["type": "ticks", "enabled": false]])
      for verb in ["status", "stop", "reload"] { #expect(try await agent.agent(verb).status == 3) }

      let started = try await agent.json("start")
      #expect(started.status == 0)
      let pid = try #require(started.value["pid"]?.int)
      #expect(ProcessTable.isAlive(pid))
      try await agent.process("clock", "runs") { $0.state == "RUNNING" }

      let text = try await agent.agent("status")
      #expect(text.status == 0)
      let line = text.output.split(separator: "\n").first { $0.hasPrefix("clock") } ?? ""
      #expect(line.split(separator: " ").dropFirst().first == "RUNNING", "\(text.output)")
      #expect(!text.output.contains("\u{1B}"), "colors without a terminal")

      let (status, value) = try await agent.json("status")
      #expect(status == 0)
      #expect(value["pid"]?.int == pid)
      #expect(value["socket"]?.string?.hasSuffix(".agent/agent.sock") == true)
      let clock = try #require(AgentStatus(json: value)["clock"])
      #expect(clock.json["module"]?.string == "ticker")
      #expect(["full", "partial"].contains(clock.sandbox))
      #expect(AgentStatus(json: value)["off"]?.state == "DISABLED")

      #expect(try await agent.agent("restart").status == 0)
      #expect(!ProcessTable.isAlive(pid))
      #expect(try await agent.agent("stop").status == 0)
      #expect(try await agent.agent("status").status == 3)
    }
  }

  @Test func `start says why the agent can't run`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: ["clock": ["type": "ticks"]])
      let refused = try await agent.agent("start")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("processes.clock.type"), "\(refused.errors)")
      #expect(try await agent.agent("status").status == 3)
    }
  }

  @Test func `status fails while an enabled process doesn't run`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addMisbehaving()
      try agent.settings(
        modules: ["misbehaving"], processes: ["bad": ["type": "misbehave", "mode": "refuse"]])
      try await agent.run()
      try await agent.process("bad", "is FAILED") { $0.state == "FAILED" }
      let failed = try await agent.agent("status")
      #expect(failed.status == 1)
      #expect(failed.output.contains("The mode must not be"), "\(failed.output)")
      #expect(try await agent.agent("process", "disable", "bad").status == 0)
      #expect(try await agent.agent("status").status == 0)
    }
  }

  @Test func `wrong usage returns exit code 2`() async throws {
    try await AgentUnderTest.with { agent in
      for arguments in [["nonsense"], ["process", "add", "x"], ["status", "--nonsense"]] {
        let refused = try await agent.agent(arguments)
        #expect(refused.status == 2, "\(arguments)")
      }
    }
  }
}
