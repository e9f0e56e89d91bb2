import AgentJSON
import Testing

/// `agent module …`, but enable and disable on a running agent: those are reloads.
@Suite struct ModuleVerbTests {
  @Test func `list and show name the modules and their permissions`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try await agent.addMisbehaving()
      try agent.change("misbehaving") { manifest in
        manifest["permissions"] = ["network": "any", "read": ["/var/log"]]
      }
      try agent.settings(modules: ["ticker"], processes: [:])
      let modules = try await agent.json("module", "list").value["modules"]?.array ?? []
      #expect(modules.compactMap { $0["name"]?.string } == ["ticker", "misbehaving"])
      #expect(modules.compactMap { $0["enabled"]?.bool } == [true, false])
      let list = try await agent.agent("module", "list")
      #expect(list.status == 0)
      let line = list.output.split(separator: "\n").first { $0.hasPrefix("misbehaving") } ?? ""
      #expect(line.contains("disabled") && line.contains("network"), "\(list.output)")

      let shown = try await agent.agent("module", "show", "ticker")
      #expect(shown.status == 0)
      for word in ["ticks", "teller", "does it tick?", "echo"] {
        #expect(shown.output.contains(word), "\(shown.output)")
      }
      let unknown = try await agent.agent("module", "show", "tiker")
      #expect(unknown.status == 4)
      #expect(unknown.errors.contains("\"ticker\"?"), "\(unknown.errors)")
    }
  }

  @Test func `enable shows the module's permissions and edits the settings alone`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.change("ticker") { $0["permissions"] = ["network": "any"] }
      let layout = "{\n    \"enabled_modules\" : [],\n  \"agent\": { \"name\":\"x\" }\n}\n"
      try agent.folder.write("settings.json", layout)
      let enabled = try await agent.agent("module", "enable", "ticker")
      #expect(enabled.status == 0)
      #expect((enabled.errors + enabled.output).contains("network"), "\(enabled.errors)")
      let text = try agent.folder.text("settings.json")
      let around = try #require(layout.firstRange(of: "[]"))
      #expect(text.hasPrefix(layout[..<around.lowerBound]), "\(text)")
      #expect(text.hasSuffix(layout[around.upperBound...]), "\(text)")
      #expect(try await agent.agent("module", "disable", "ticker").status == 0)
      #expect(try agent.folder.text("settings.json") == layout)
      #expect(try await agent.agent("module", "enable", "nobody").status == 4)
      #expect(try await agent.agent("module", "disable", "ticker").status != 0)
    }
  }

  @Test func `a packed module is installed in another agent, runs there and is removed`()
    async throws
  {
    try await AgentUnderTest.with { maker in
      try await maker.addTicker()
      try maker.settings(modules: ["ticker"], processes: [:])
      let packed = try await maker.json("module", "pack", "ticker")
      #expect(packed.status == 0)
      let file = try #require(packed.value["file"]?.string)
      let path = file.hasPrefix("/") ? file : "\(maker.folder.path)/\(file)"
      #expect(path.hasSuffix("ticker-1.0.0.agentmodule"))

      try await AgentUnderTest.with { agent in
        try agent.settings(modules: [], processes: [:])
        let installed = try await agent.agent("module", "install", path, "--enable")
        #expect(installed.status == 0, "\(installed.errors)")
        let again = try await agent.agent("module", "install", path)
        #expect(again.status == 1)
        #expect(again.errors.contains("ticker"), "\(again.errors)")
        let added = try await agent.agent("process", "add", "clock", "--type", "ticks")
        #expect(added.status == 0)
        try await agent.run()
        try await agent.process("clock", "runs") { $0.state == "RUNNING" }

        let refused = try await agent.agent("module", "remove", "ticker")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("agent module disable ticker"))
        #expect(try await agent.agent("process", "remove", "clock").status == 0)
        #expect(try await agent.agent("module", "disable", "ticker").status == 0)
        #expect(try await agent.agent("module", "remove", "ticker").status == 0)
        #expect(!agent.folder.exists("modules/ticker"))
      }
    }
  }

  @Test func `an invalid package is refused`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try agent.folder.write("bad.agentmodule", "no archive")
      let refused = try await agent.agent("module", "install", "bad.agentmodule")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("bad.agentmodule"), "\(refused.errors)")
      #expect(TemporaryFolder.names(in: "\(agent.folder.path)/modules") == [])
    }
  }
}
