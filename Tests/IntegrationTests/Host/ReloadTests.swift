import AgentJSON
import Glibc
import Testing

/// `agent reload` and SIGHUP: only what a change touches is restarted, and what doesn't get ready
/// leaves the old in place.
@Suite struct ReloadTests {
  private func with(_ body: (AgentUnderTest, AgentStatus) async throws -> Void) async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try Self.settings(agent, label: "old")
      try await agent.run()
      let before = try await agent.status("both run") { status in
        ["clock", "other"].allSatisfy { status[$0]?.state == "RUNNING" }
      }
      try await body(agent, before)
    }
  }

  private static func settings(
    _ agent: AgentUnderTest, label: String, more: JSONObject = [:]
  ) throws {
    var processes: JSONObject = [
      "clock": ["type": "ticks", "label": .string(label)], "other": ["type": "ticks"],
    ]
    for (key, value) in more { processes[key] = value }
    try agent.settings(modules: ["ticker"], processes: processes)
  }

  private func labelled(_ label: String, _ agent: AgentUnderTest) async throws {
    _ = try await eventually("ticks say \(label)") {
      try await agent.events("type:tick").last { $0["source"]?.string == "clock" }?["label"]?.string
        == label ? true : nil
    }
  }

  @Test func `a dry run reports the changes and makes none`() async throws {
    try await with { agent, before in
      try Self.settings(agent, label: "new", more: ["third": ["type": "ticks"]])
      let (status, value) = try await agent.json("reload", "--dry-run")
      #expect(status == 0)
      let changes = value["changes"]?.array ?? []
      #expect(value["dry_run"]?.bool == true)
      #expect(Set(changes.compactMap { $0["process"]?.string }) == ["clock", "third"])
      #expect(Set(changes.compactMap { $0["action"]?.string }) == ["restart", "start"])
      let text = try await agent.agent("reload", "--dry-run").output
      #expect(text.contains("clock: would restart"), "\(text)")
      let after = try await agent.status("nothing has changed") { _ in true }
      #expect(after["clock"]?.pid == before["clock"]?.pid)
      #expect(after["third"] == nil)
    }
  }

  @Test(arguments: [false, true])
  func `changed settings restart only the affected processes`(_ bySignal: Bool) async throws {
    try await with { agent, before in
      try Self.settings(agent, label: "new", more: ["third": ["type": "ticks"]])
      if bySignal {
        agent.signal(SIGHUP)
      } else {
        #expect(try await agent.agent("reload").status == 0)
      }
      let after = try await agent.status("the new settings are applied") { status in
        status["clock"].map { $0.state == "RUNNING" && $0.pid != before["clock"]?.pid } == true
          && status["third"]?.state == "RUNNING"
      }
      #expect(after["other"]?.pid == before["other"]?.pid)
      try await labelled("new", agent)
      try Self.settings(agent, label: "new")
      #expect(try await agent.agent("reload").status == 0)
      try await agent.status("the third is gone") { $0["third"] == nil }
      #expect(try await agent.agent("reload").output.contains("Nothing to change."))
    }
  }

  @Test func `a SIGHUP during the start doesn't end the agent`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addMisbehaving()
      try agent.settings(
        modules: ["misbehaving"],
        processes: JSONObject(
          (0..<10).map { (key: "p\($0)", value: ["type": "misbehave", "mode": ""]) }))
      let host = try agent.background(["run"])
      _ = try await eventually("workers are started", said: { host.said }) {
        if let status = host.status() { throw HarnessError("It ended with \(status).") }
        return ProcessTable.pids(with: "AGENT_WORKER_OF=\(agent.folder.path)").first
      }
      host.signal(SIGHUP)
      try await agent.record(of: "agent", with: "SIGHUP: the settings are reloaded.")
      host.signal(SIGTERM)
      #expect(try await host.finished().status == 0)
    }
  }

  @Test func `settings with an error leave everything unchanged`() async throws {
    try await with { agent, before in
      try agent.folder.write("settings.json", "{ \"processes\": ")
      let refused = try await agent.agent("reload")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("settings.json:1:"), "\(refused.errors)")
      agent.signal(SIGHUP)
      try await agent.record(of: "agent", with: "The settings are unchanged.")
      let after = try await agent.status("nothing has changed") { _ in true }
      for name in ["clock", "other"] { #expect(after[name]?.pid == before[name]?.pid) }
    }
  }

  @Test func `a changed library is swapped`() async throws {
    try await with { agent, before in
      try await agent.addTicker(["-DGENERATION=2"])
      #expect(try await agent.agent("reload").status == 0)
      try await agent.status("both are new") { status in
        ["clock", "other"].allSatisfy {
          status[$0]?.state == "RUNNING" && status[$0]?.pid != before[$0]?.pid
        }
      }
      _ = try await eventually("the new generation ticks") {
        try await agent.events("type:tick").last?["generation"]?.int == 2 ? true : nil
      }
    }
  }

  @Test func `a new version that doesn't get ready is reported, and the old one continues`()
    async throws
  {
    try await with { agent, before in
      try await agent.addTicker(["-DUNREADY"])
      let (status, value) = try await agent.json("reload")
      #expect(status == 1)
      let problems = (value["changes"]?.array ?? []).compactMap { $0["problem"]?.string }
      #expect(problems.count >= 2)
      #expect(problems.allSatisfy { $0.contains("This build doesn't work.") }, "\(problems)")
      for name in ["clock", "other"] {
        try await agent.isHealthy(name, since: try #require(before[name]))
      }
      try await agent.addTicker(["-DGENERATION=3"])
      #expect(try await agent.agent("reload").status == 0)
      _ = try await eventually("the repaired build ticks") {
        try await agent.events("type:tick").last?["generation"]?.int == 3 ? true : nil
      }
    }
  }

  @Test func `a module is enabled and disabled while the agent runs`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try await agent.addMisbehaving()
      try agent.settings(modules: ["ticker"], processes: ["clock": ["type": "ticks"]])
      try await agent.run()
      let before = try await agent.process("clock", "runs") { $0.state == "RUNNING" }
      let text = try agent.folder.text("settings.json")
      #expect(try await agent.agent("module", "enable", "misbehaving").status == 0)
      #expect(try await agent.agent("process", "add", "w", "--type", "watch").status == 0)
      try await agent.process("w", "runs") { $0.state == "RUNNING" }
      let refused = try await agent.agent("module", "disable", "misbehaving")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("w"), "\(refused.errors)")
      #expect(try await agent.agent("process", "remove", "w").status == 0)
      #expect(try await agent.agent("module", "disable", "misbehaving").status == 0)
      #expect(try agent.folder.text("settings.json") == text)
      let byPath = try await agent.agent("module", "enable", "./modules/misbehaving")
      #expect(byPath.status == 0, "\(byPath.errors)")
      try await agent.status("its services are there") { $0["module:misbehaving"] != nil }
      try await agent.isHealthy("clock", since: before)
    }
  }
}
