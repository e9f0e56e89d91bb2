import AgentJSON
import Testing

/// `agent service` and `agent features`.
@Suite struct ServiceTests {
  @Test func `a user's unit is written, found and removed`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      #expect(try await agent.agent("service", "status").status == 4)
      let (status, value) = try await agent.json("service", "install")
      #expect(status == 0)
      let unit = try #require(value["unit"]?.string)
      #expect(unit.hasPrefix("\(agent.folder.path)/home/.config/systemd/user/agent-"))
      let text = try agent.folder.text(unit)
      for line in [
        "Type=notify-reload", "WorkingDirectory=\(agent.folder.path)",
        "ExecStart=\(Places.agent) run --settings \(agent.folder.path)/settings.json",
      ] {
        #expect(text.contains("\n\(line)\n"), "\(text)")
      }
      #expect(try await agent.json("service", "status").value["installed"]?.bool == true)
      #expect(try await agent.agent("service", "remove").status == 0)
      #expect(try await agent.agent("service", "status").status == 4)
      #expect(try await agent.agent("service", "remove").status == 4)
    }
  }

  @Test func `features lists what is available and what is missing`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try await agent.addMisbehaving()
      try agent.settings(modules: ["ticker"], processes: [:])
      let complete = try await agent.json("features")
      #expect(complete.status == 0)
      #expect(complete.value["complete"]?.bool == true)
      #expect(complete.value["not_enabled"]?.array == ["misbehaving"])
      let offers = complete.value["modules"]?[0]?["offers"]?.array ?? []
      #expect(
        offers.compactMap { $0["name"]?.string }.sorted() == ["echo", "teller", "ticks"])
      try agent.change("ticker") { $0["requires"] = ["packages": ["no-such-package"]] }
      let missing = try await agent.agent("features")
      #expect(missing.status == 1)
      #expect(missing.output.contains("apt-get install no-such-package"), "\(missing.output)")
      #expect(missing.output.contains("state/1"))
    }
  }
}
