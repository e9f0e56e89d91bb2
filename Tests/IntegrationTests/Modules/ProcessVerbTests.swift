import AgentJSON
import Testing

/// `agent process …`.
@Suite struct ProcessVerbTests {
  /// Settings with a layout of their own, which edits have to keep.
  private static let layout = """
    {
        "enabled_modules" : [ "ticker" ],

        "processes": {
            "clock":  { "type": "ticks",   "every_ms": 20, "label": "a\\u0062c" },
            "second": {
              "type": "ticks", "enabled": false
            }
        },
        "supervision": {"max_restarts":3}
    }

    """

  private func with(
    isRunning: Bool, _ body: (AgentUnderTest) async throws -> Void
  ) async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.folder.write("settings.json", Self.layout)
      if isRunning { try await agent.run() }
      try await body(agent)
    }
  }

  @Test func `stop, start and restart affect one process`() async throws {
    try await with(isRunning: true) { agent in
      let first = try await agent.process("clock", "runs") { $0.state == "RUNNING" }
      #expect(try await agent.agent("process", "stop", "clock").status == 0)
      try await agent.process("clock", "is STOPPED") { $0.state == "STOPPED" }
      #expect(try await agent.agent("status").status == 1)
      #expect(try await agent.agent("process", "start", "clock").status == 0)
      let second = try await agent.process("clock", "runs") { $0.state == "RUNNING" }
      let (status, value) = try await agent.json("process", "restart", "clock")
      #expect(status == 0)
      let third = ProcessStatus(json: value)
      #expect(third.state == "RUNNING")
      #expect(Set([first.pid, second.pid, third.pid]).count == 3)
    }
  }

  @Test(arguments: ["start", "stop", "restart", "enable", "disable", "remove"])
  func `an unknown process returns exit code 4`(_ verb: String) async throws {
    try await with(isRunning: true) { agent in
      let refused = try await agent.agent("process", verb, "clok")
      #expect(refused.status == 4)
      #expect(refused.errors.contains("clok"), "\(refused.errors)")
      #expect(try agent.folder.text("settings.json") == Self.layout)
    }
  }

  @Test(arguments: [true, false])
  func `enable and disable change one word of the settings`(_ isRunning: Bool) async throws {
    try await with(isRunning: isRunning) { agent in
      #expect(try await agent.agent("process", "enable", "second").status == 0)
      let enabled = Self.layout.replacing("\"enabled\": false", with: "\"enabled\": true")
      #expect(try agent.folder.text("settings.json") == enabled)
      if isRunning { try await agent.process("second", "runs") { $0.state == "RUNNING" } }
      #expect(try await agent.agent("process", "disable", "second").status == 0)
      #expect(try agent.folder.text("settings.json") == Self.layout)
      if isRunning { try await agent.process("second", "is off") { $0.state == "DISABLED" } }
    }
  }

  @Test(arguments: [true, false])
  func `add and remove leave the other settings unchanged`(_ isRunning: Bool) async throws {
    try await with(isRunning: isRunning) { agent in
      let added = try await agent.agent("process", "add", "third", "--type", "ticks")
      #expect(added.status == 0, "\(added.errors)")
      let text = try agent.folder.text("settings.json")
      for line in Self.layout.split(separator: "\n") where line.count > 5 {
        #expect(text.contains(line.trimmingSuffix(",")), "\(line) is gone from \(text)")
      }
      #expect(try JSONValue(parsing: text)["processes"]?["third"]?["type"]?.string == "ticks")
      if isRunning { try await agent.process("third", "runs") { $0.state == "RUNNING" } }
      #expect(try await agent.agent("process", "remove", "third").status == 0)
      #expect(try agent.folder.text("settings.json") == Self.layout)
      if isRunning {
        try await agent.status("third is gone") { $0["third"] == nil }
        #expect(try await agent.agent("process", "stop", "third").status == 4)
      }
    }
  }

  @Test func `an edit that would be invalid changes nothing`() async throws {
    try await with(isRunning: true) { agent in
      for arguments in [["third", "--type", "nonsense"], ["clock", "--type", "ticks"]] {
        let refused = try await agent.agent(["process", "add"] + arguments)
        #expect(refused.status == 1)
        #expect(!refused.errors.isEmpty)
      }
      #expect(try agent.folder.text("settings.json") == Self.layout)
    }
  }

  @Test func `list shows running or configured processes`() async throws {
    try await with(isRunning: false) { agent in
      let configured = try await agent.json("process", "list").value["processes"]?.array ?? []
      #expect(configured.compactMap { $0["name"]?.string } == ["clock", "second"])
      #expect(configured.compactMap { $0["enabled"]?.bool } == [true, false])
      try await agent.run()
      let running = AgentStatus(json: try await agent.json("process", "list").value)
      #expect(running["clock"]?.state == "RUNNING")
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ suffix: Character) -> Substring {
    last == suffix ? dropLast() : self
  }
}
