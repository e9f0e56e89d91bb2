import AgentJSON
import Glibc
import Testing

/// A host that can't live comes up all the same, with what is needed to mend it.
@Suite struct SafeModeTests {
  private func finding(_ name: String, _ agent: AgentUnderTest) async throws -> JSONValue? {
    let (_, value) = try await agent.json("doctor")
    return value["findings"]?.array?.first { $0["name"]?.string == name }
  }

  @Test func `a host with three failed starts runs in safe mode until it is restarted`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(modules: ["ticker"], processes: ["clock": ["type": "ticks"]])
      for _ in 0..<3 {
        try await agent.run()
        try await agent.process("clock", "runs") { $0.state == "RUNNING" }
        agent.signal(SIGKILL)
        _ = try await agent.ended()
      }
      let next = try await finding("starts", agent)
      #expect(next?["sentence"]?.string?.contains("3 starts") == true, "\(next?.text() ?? "none")")

      #expect(try await agent.agent("start").status == 0)
      let (status, value) = try await agent.json("status")
      #expect(status == 1)
      #expect(value["ready"] == true)
      #expect(value["safe_mode"]?["causes"]?.array?.count == 3)
      #expect(AgentStatus(json: value)["clock"]?.pid == nil)
      let text = try await agent.agent("status").output
      #expect(text.contains("SAFE MODE") && text.contains("the agent runs"), "\(text)")
      let doctor = try await finding("safe_mode", agent)
      #expect(doctor?["verdict"] == "problem")
      #expect(doctor?["sentence"]?.string?.contains("It died during") == true)

      // What it refuses, and what it does.
      let started = try await agent.agent("process", "start", "clock")
      #expect(started.status == 1 && started.errors.contains("safe mode"), "\(started.errors)")
      let action = try await agent.client.send(
        "POST", "modules/ticker/actions/echo", body: ["word": "x"])
      #expect(action.status == 503 && action.error.contains("safe mode"), "\(action.error)")
      #expect(
        try await agent.client.send("POST", "tasks", body: ["name": "x", "type": "x"]).status == 503
      )
      let disabled = try await agent.agent("process", "disable", "clock")
      #expect(disabled.status == 0, "\(disabled.errors)")
      #expect(try agent.folder.text("settings.json").contains("\"enabled\""))

      let restarted = try await agent.agent("restart")
      #expect(restarted.status == 0, "\(restarted.errors)")
      let (after, usual) = try await agent.json("status")
      #expect(after == 0)
      #expect(usual["safe_mode"]?.isNull == true)
      #expect(AgentStatus(json: usual)["clock"]?.state == "DISABLED")
      #expect(try await agent.agent("stop").status == 0)
    }
  }

  @Test func `a host that is stopped by request is never in safe mode`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      for _ in 0..<5 {
        try await agent.run()
        agent.signal(SIGTERM)
        #expect(try await agent.ended() == 0)
      }
      #expect(!agent.folder.exists(".agent/starts.json"))
      #expect(try await finding("starts", agent) == nil)
    }
  }

  @Test func `a host that dies three times while it builds modules is then in safe mode`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      let variables = try agent.addSlowCompiler("kill -KILL $PPID\n")
      for _ in 0..<3 {
        #expect(try await agent.agent("run", variables: variables).status == -SIGKILL)
      }
      try await agent.run(variables: variables)
      let (status, value) = try await agent.json("status")
      #expect(status == 1)
      let causes = value["safe_mode"]?["causes"]?.array?.compactMap(\.string) ?? []
      #expect(causes.count == 3 && causes.first?.contains("the build of slow") == true, "\(causes)")
    }
  }

  @Test func `safe mode can be requested`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(
        modules: ["ticker"], processes: ["clock": ["type": "ticks"]],
        others: ["events": ["tcp": ["listen": "127.0.0.1:0"]]])
      let started = try await agent.agent("start", "--safe")
      #expect(started.status == 0, "\(started.errors)")
      #expect(started.output.contains("safe mode"), "\(started.output)")
      let (_, value) = try await agent.json("status")
      #expect(value["safe_mode"]?["reason"]?.string?.contains("--safe") == true)
      #expect(AgentStatus(json: value)["clock"]?.pid == nil)
      #expect(value["listeners"]?.array?.contains { $0["name"] == "events.tcp" } == false)
      #expect(try await agent.agent("stop").status == 0)
    }
  }

  @Test func `a database that can't be opened doesn't keep the host from starting`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try agent.folder.write(".agent/store.db/in-the-way", "")
      chmod("\(agent.folder.path)/.agent", 0o700)
      for _ in 0..<3 {
        let failed = try await agent.agent("run")
        #expect(failed.status == 1 && failed.errors.contains("database"), "\(failed.errors)")
      }
      let started = try await agent.agent("start")
      #expect(started.status == 0, "\(started.errors)")
      let (status, value) = try await agent.json("status")
      #expect(status == 1)
      #expect(value["safe_mode"]?["causes"]?[0]?.string?.contains("database") == true)
      let (_, findings) = try await agent.json("doctor")
      #expect(findings["healthy"] == false)
      #expect(try await agent.agent("stop").status == 0)
    }
  }

  @Test func `a task in safe mode can be read and removed`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(
        modules: [], processes: [:],
        others: ["tasks": ["types": ["hello": ["executor": "command", "run_command": "echo"]]]])
      try await agent.run()
      let made = try await agent.client.send("POST", "tasks", body: ["name": "x", "type": "hello"])
      let id = try #require(made.body["id"]?.string)
      #expect(try await agent.agent("stop").status == 0)
      #expect(try await agent.agent("start", "--safe").status == 0)
      let (listed, tasks) = try await agent.json("task", "list")
      #expect(listed == 0 && tasks["tasks"]?.array?.count == 1, "\(tasks.text())")
      #expect(try await agent.agent("task", "delete", id).status == 0)
      #expect(try await agent.client.send("GET", "tasks/\(id)", body: nil).status == 404)
      #expect(try await agent.agent("stop").status == 0)
    }
  }

  @Test func `settings that aren't JSON end three starts, and the fourth is in safe mode`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      let valid = try agent.folder.text("settings.json")
      try agent.folder.write("settings.json", "{\n  \"agent\": ,\n}")
      for _ in 0..<3 {
        let failed = try await agent.agent("run")
        #expect(
          failed.status == 1 && failed.errors.contains("settings.json:2:12"), "\(failed.errors)")
      }
      let next = try await finding("starts", agent)
      #expect(next?["remedy"]?.string == "The next start is in safe mode.", "\(next?.text() ?? "")")
      #expect(try await agent.agent("start").status == 0)
      let (status, value) = try await agent.json("status")
      #expect(status == 1)
      let causes = value["safe_mode"]?["causes"]?.array?.compactMap(\.string) ?? []
      #expect(causes.first?.hasPrefix("settings.json:2:12: ") == true, "\(causes)")
      #expect(try await agent.agent("status").output.contains("settings.json:2:12"))
      let doctor = try await finding("settings", agent)
      #expect(doctor?["sentence"]?.string?.hasPrefix("settings.json:2:12: ") == true)
      #expect(try await agent.client.send("GET", "tasks", body: nil).status == 200)

      try agent.folder.write("settings.json", valid)
      let restarted = try await agent.agent("restart")
      #expect(restarted.status == 0, "\(restarted.errors)")
      let (after, usual) = try await agent.json("status")
      #expect(after == 0 && usual["safe_mode"]?.isNull == true)
      #expect(try await agent.agent("stop").status == 0)
    }
  }

  @Test func `corrected settings start as usual, whatever the former ones ended`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      let valid = try agent.folder.text("settings.json")
      try agent.folder.write("settings.json", "{")
      for _ in 0..<4 {
        let failed = try await agent.agent("start")
        #expect(failed.status == 1 && failed.errors.contains("--safe"), "\(failed.errors)")
      }
      for _ in 0..<3 { #expect(try await agent.agent("run").status == 1) }
      try agent.folder.write("settings.json", valid)
      try await agent.run()
      #expect(try await agent.json("status").value["safe_mode"]?.isNull == true)
    }
  }

  @Test func `requested safe mode comes up with broken manifests and unreadable folders`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(
        modules: ["ticker", "bad", "closed"], processes: ["clock": ["type": "ticks"]])
      try agent.folder.write("modules/bad/module.json", "{\n  \"name\": \u{1}")
      try agent.folder.write("modules/closed/module.json", "{}")
      chmod("\(agent.folder.path)/modules/closed", 0)
      defer { chmod("\(agent.folder.path)/modules/closed", 0o700) }
      #expect(try await agent.agent("run").status == 1)
      let started = try await agent.agent("start", "--safe")
      #expect(started.status == 0, "\(started.errors)")
      let (_, value) = try await agent.json("status")
      let causes = value["safe_mode"]?["causes"]?.array?.compactMap(\.string) ?? []
      #expect(causes.contains { $0.contains("modules/bad/module.json:2:11") }, "\(causes)")
      let text = try await agent.agent("doctor").output
      #expect(text.contains("modules/bad/module.json:2:11"), "\(text)")
      #expect(try await agent.agent("stop").status == 0)
    }
  }

  @Test func `safe mode doesn't read settings that the last host died reading`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      // The only start that died was a host with this name.
      let boot = try TemporaryFolder.bytes(ofFile: "/proc/sys/kernel/random/boot_id")
      let id = String(decoding: boot, as: UTF8.self).split(separator: "\n").first ?? ""
      try agent.folder.write(
        ".agent/starts.json",
        #"{"failed": [], "current": {"pid": 1, "at": 0, "boot": "\#(id)", "step": ""}}"#)
      try agent.folder.write(".agent/start-step", "the reading of the settings")
      chmod("\(agent.folder.path)/.agent", 0o700)
      let started = try await agent.agent("start", "--safe")
      #expect(started.status == 0, "\(started.errors)")
      let (_, value) = try await agent.json("status")
      #expect(
        value["safe_mode"]?["reason"]?.string?.contains("The settings aren't read") == true,
        "\(value.text())")
      #expect(try await agent.agent("stop").status == 0)
    }
  }
}
