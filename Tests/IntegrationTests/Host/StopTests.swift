import AgentJSON
import Glibc
import Testing

/// The host comes up whatever a module does, and ends in time whatever anybody waits for.
@Suite struct StopTests {
  private func ends(_ agent: AgentUnderTest, within limit: Duration) async throws {
    let begun = ContinuousClock.now
    agent.signal(SIGTERM)
    #expect(try await agent.ended() == 0)
    let taken = begun.duration(to: .now)
    #expect(taken < limit, "it took \(taken)")
  }

  /// A module whose process says nothing at all.
  private func addHanging(_ agent: AgentUnderTest) throws {
    try agent.folder.write("modules/hang/hang", "#!/bin/sh\nexec sleep 1000\n")
    chmod("\(agent.folder.path)/modules/hang/hang", 0o755)
    try agent.write(
      [
        "name": "hang", "version": "1.0.0", "command": ["./hang"],
        "processes": ["stuck": ["kind": "datasource", "settings": ["type": "object"]]],
        "actions": ["never": ["title": "Never"]],
        "logic_adapters": ["silent": ["title": "Silent", "example": "?"]],
      ], of: "hang")
  }

  @Test
  func `a module that hangs before READY delays neither the host's start nor its end`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try addHanging(agent)
      try await agent.addTicker()
      try agent.settings(
        modules: ["hang", "ticker"],
        processes: ["stuck": ["type": "stuck"], "clock": ["type": "ticks"]],
        supervision: [
          "ready_timeout_ms": 1500, "max_restarts": 5, "invoke_timeout_ms": 800,
          "backoff": ["initial_ms": 1000, "max_ms": 60_000],
        ])
      let started = try await agent.agent("start")
      #expect(started.status == 0, "\(started.errors)")
      try await agent.process("clock", "runs") { $0.state == "RUNNING" }
      // Calls have their deadline, the start of the worker included.
      let call = try await agent.client.send("POST", "modules/hang/actions/never", body: [:])
      #expect(call.status == 504, "\(call.error)")
      let asked = try await agent.client.send(
        "POST", "chat/messages", body: ["text": "does it tick?"])
      #expect(asked.body["text"]?.string == "generation 1 ticks", "\(asked.body.text())")
      // A start answers, too.
      let verb = try await agent.agent("process", "start", "stuck")
      #expect(verb.status <= 1)
      let begun = ContinuousClock.now
      #expect(try await agent.agent("stop").status == 0)
      #expect(begun.duration(to: .now) < .seconds(60))
    }
  }

  @Test func `waiting requests are answered when the host ends and don't delay it`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      let client = agent.client
      let task = try await client.send(
        "POST", "tasks", body: ["name": "later", "type": "command", "run_command": "true"])
      let id = try #require(task.body["id"]?.string, "\(task.error)")
      let bot = try await client.send(
        "POST", "bots",
        body: ["name": "b", "capabilities": [["name": "count", "task_types": ["counting"]]]])
      let number = try #require(bot.body["id"]?.string, "\(bot.error)")
      async let waited = client.send("GET", "tasks/\(id)/wait?wait_ms=3600000")
      async let offers = client.send("GET", "bots/\(number)/assignments?wait_ms=600000")
      _ = try await eventually("both wait") {
        let page = try await client.answer("GET", "/metrics").body
        // They and the one that asks.
        return page.contains("\nbulkhead_http_requests_in_flight 3\n") ? true : nil
      }
      try await ends(agent, within: .longest)
      let waiting = try await waited
      #expect(waiting.status == 503, "\(waiting.body.text())")
      let answer = try await offers
      #expect(answer.status == 503, "\(answer.error)")
    }
  }

  @Test func `SIGTERM ends the host at any time after its start`() async throws {
    try await AgentUnderTest.with { agent in
      try addHanging(agent)
      try agent.settings(modules: ["hang"], processes: ["stuck": ["type": "stuck"]])
      for pause in Array(0...5) + Array(stride(from: 10, through: 300, by: 10)) {
        let child = try agent.background(["run"])
        usleep(useconds_t(pause * 1000))
        child.signal(SIGTERM)
        let status = try await child.finished(within: .longest).status
        #expect(status == 0 || status == -SIGTERM, "after \(pause) ms: \(status)")
        // Requested ends don't count for safe mode.
        let record = ".agent/starts.json"
        #expect(!agent.folder.exists(record), "after \(pause) ms: \(status)")
        if agent.folder.exists(record) { unlink("\(agent.folder.path)/\(record)") }
      }
    }
  }

  @Test func `SIGTERM while modules are built is a stop by request and ends the compiler`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      let variables = try agent.addSlowCompiler(
        "echo $$ > \"$(dirname \"$0\")/compiler.new\"\n"
          + "mv \"$(dirname \"$0\")/compiler.new\" \"$(dirname \"$0\")/compiler.pid\"\n"
          + "exec sleep 1000\n")
      let child = try agent.background(["run"], variables: variables)
      let compiler = try await eventually("the compiler runs") {
        (try? agent.folder.text("compiler.pid")).flatMap { pid_t($0.dropLast()) }
      }
      defer { kill(compiler, SIGKILL) }
      child.signal(SIGTERM)
      #expect(try await child.finished(within: .longest).status == 0)
      #expect(!agent.folder.exists(".agent/starts.json"))
      _ = try await eventually("the compiler has ended") { kill(compiler, 0) != 0 ? true : nil }
    }
  }

  /// The shortest limits that the settings permit; the other parts of a host have half a minute.
  private static let quick: JSONObject = ["stop_timeout_ms": 100, "kill_timeout_ms": 100]

  @Test func `a host that doesn't end is killed by the command that stops it`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:], supervision: Self.quick)
      try await agent.run()
      agent.signal(SIGSTOP)
      let (status, value) = try await agent.json("stop")
      #expect(status == 0 && value["stopped"] == true && value["killed"] == true, "\(value)")
      #expect(try await agent.ended() == -SIGKILL)
    }
  }

  @Test func `a host that hangs in its end exits at its limit`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(
        modules: ["ticker"], processes: ["clock": ["type": "ticks"]], supervision: Self.quick)
      try agent.folder.write(".agent/workers", "")
      chmod("\(agent.folder.path)/.agent", 0o700)
      // Its supervision hangs as on a file system that doesn't answer: nobody can open the file.
      let lease = try FileLease("\(agent.folder.path)/.agent/workers")
      let child = try agent.background(["run"])
      _ = try await eventually("the supervision waits") {
        !lease.isHeld && child.hasThread("supervision", waitingIn: "break_lease") ? true : nil
      }
      let begun = ContinuousClock.now
      child.signal(SIGTERM)
      let finished = try await child.finished(within: .longest)
      #expect(finished.status == 1 && finished.errors.contains("didn't stop within"))
      #expect(begun.duration(to: .now) < .seconds(40))
    }
  }

  @Test func `a preloaded library that sets a variable hides no part of the command line`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      let library = try await FixtureBuilder.shared.library("setting_library.c")
      let variables = ["LD_PRELOAD": library]
      let valid = try await agent.agent("validate", variables: variables)
      #expect(valid.status == 0 && !valid.output.contains("SUBCOMMANDS"), "\(valid.output)")
      #expect(try await agent.agent("nonsense", variables: variables).status == 2)
    }
  }
}
