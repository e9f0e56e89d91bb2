import AgentJSON
import Glibc
import Testing

/// Two hosts, killed hosts, hosts that can't have what they need.
@Suite struct HostTests {
  @Test func `a second host on the same folder is refused with the pid of the first`() async throws
  {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(modules: ["ticker"], processes: ["clock": ["type": "ticks"]])
      try await agent.run()
      for verb in ["run", "start"] {
        let second = try await agent.agent(verb)
        #expect(second.status == 1)
        #expect(second.errors.contains("pid \(agent.pid)"), "\(second.errors)")
      }
      #expect(try await agent.client.send("GET", "health/live").status == 200)
    }
  }

  @Test func `kill -9 of the host ends its workers, and the next host starts cleanly`() async throws
  {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(
        modules: ["ticker"], processes: ["a": ["type": "ticks"], "b": ["type": "ticks"]])
      try await agent.run()
      let first = try await agent.status("both run") { $0["b"]?.state == "RUNNING" }
      let workers = first.processes.compactMap(\.pid)
      #expect(workers.count == 2)
      agent.signal(SIGKILL)
      #expect(try await agent.ended() == -SIGKILL)
      _ = try await eventually("the workers have ended", within: .longest) {
        workers.contains(where: ProcessTable.isAlive) ? nil : true
      }
      try await agent.run()
      let second = try await agent.status("both run again") { status in
        ["a", "b"].allSatisfy { status[$0]?.state == "RUNNING" }
      }
      #expect(second.processes.allSatisfy { $0.restarts == 0 })
      #expect(Set(second.processes.compactMap(\.pid)).isDisjoint(with: workers))
    }
  }

  @Test(arguments: [15, 2])
  func `a signal ends the host with status 0 after its workers`(_ signal: Int32) async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(modules: ["ticker"], processes: ["clock": ["type": "ticks"]])
      try await agent.run()
      agent.signal(signal)
      #expect(try await agent.ended() == 0)
      #expect(!agent.folder.exists(".agent/agent.sock"))
    }
  }

  @Test func `a socket that can't be created is named`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try agent.folder.write(".agent/agent.sock/in-the-way", "")
      let finished = try await agent.agent("run")
      #expect(finished.status == 1)
      #expect(finished.errors.contains("\(agent.folder.path)/.agent/agent.sock"))
    }
  }

  @Test func `a private folder that can't be created is named`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try agent.folder.write(".agent", "a file in the way")
      let finished = try await agent.agent("run")
      #expect(finished.status == 1)
      #expect(finished.errors.contains(".agent"))
    }
  }

  @Test func `settings in a module's folder run in the agent that contains the module`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(modules: [], processes: [:])
      let file = "modules/ticker/settings.example.json"
      try agent.folder.write(
        file, #"{"enabled_modules": ["ticker"], "processes": {"example": {"type": "ticks"}}}"#)
      #expect(try await agent.agent("validate", "--settings", file).status == 0)
      try await agent.run(["--settings", file])
      try await agent.process("example", "runs") { $0.state == "RUNNING" }
    }
  }

  @Test func `a folder with a path too long for a socket still runs`() async throws {
    try await AgentUnderTest.with { agent in
      let deep = String(repeating: "a-folder-with-a-long-name/", count: 5)
      try agent.folder.write("\(deep)settings.json", #"{"enabled_modules": []}"#)
      let file = "\(deep)settings.json"
      let started = try await agent.agent("start", "--settings", file)
      #expect(started.status == 0, "\(started.errors)")
      #expect(try await agent.agent("status", "--settings", file).status == 0)
      #expect(try await agent.agent("stop", "--settings", file).status == 0)
      #expect(try await agent.agent("status", "--settings", file).status == 3)
    }
  }
}
