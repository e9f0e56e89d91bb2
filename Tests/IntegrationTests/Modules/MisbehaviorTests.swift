import AgentJSON
import Glibc
import Testing

/// What a worker does harms that worker and nothing else: it is contained, said, and the process is
/// restarted by its policy, while its neighbor keeps its pid and goes on publishing.
@Suite struct MisbehaviorTests {
  /// Runs a process that misbehaves beside a healthy one.
  private func misbehave(
    _ mode: String, process: JSONObject = [:], supervision: JSONObject = [:],
    check: (AgentUnderTest) async throws -> Void
  ) async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addMisbehaving()
      try await agent.addTicker()
      var bad: JSONObject = ["type": "misbehave", "mode": .string(mode)]
      for (key, value) in process { bad[key] = value }
      try agent.settings(
        modules: ["misbehaving", "ticker"],
        processes: ["clock": ["type": "ticks"], "bad": .object(bad)], supervision: supervision)
      try await agent.run()
      let before = try await agent.process("clock", "runs") { $0.state == "RUNNING" }
      try await check(agent)
      try await agent.isHealthy("clock", since: before)
    }
  }

  @Test(arguments: [
    ("segv", "SIGSEGV"), ("trap", "SIGILL"), ("abort", "SIGABRT"), ("overflow", "SIGSEGV"),
    ("exit", "exited with code 3"),
  ])
  func `a worker that keeps ending is restarted until its policy gives up`(
    _ mode: String, _ end: String
  ) async throws {
    try await misbehave(mode) { agent in
      let bad = try await agent.process("bad", "is FAILED") { $0.state == "FAILED" }
      #expect(bad.restarts == 3)
      #expect(bad.lastExit.contains(end), "\(bad.lastExit)")
      #expect(bad.reason.contains(end), "\(bad.reason)")
      guard mode != "exit" else { return }
      let crash = try await agent.record(of: "bad", with: "The worker crashed")
      let report = try JSONValue(parsing: try agent.folder.bytes(crash["report"]?.string ?? ""))
      #expect(report["process"]?.string == "bad")
      #expect(report["frames"]?.array?.isEmpty == false)
      let text = report["frames"]?.text() ?? ""
      #expect(text.contains("misbehav"), "no function of the module is named: \(text)")
    }
  }

  @Test func `a killed worker is restarted at once`() async throws {
    try await misbehave("") { agent in
      let before = try await agent.process("bad", "runs") { $0.state == "RUNNING" }
      kill(pid_t(try #require(before.pid)), SIGKILL)
      let after = try await agent.process("bad", "runs again") {
        $0.state == "RUNNING" && $0.pid != before.pid
      }
      #expect(after.restarts == 1)
      #expect(after.lastExit.contains("SIGKILL"))
    }
  }

  @Test(arguments: [("transient", 3), ("temporary", 0)])
  func `the restart policy decides what follows an exit`(_ policy: String, _ restarts: Int)
    async throws
  {
    try await misbehave("exit", process: ["restart": .string(policy)]) { agent in
      let bad = try await agent.process("bad", "is FAILED") { $0.state == "FAILED" }
      #expect(bad.restarts == restarts)
      #expect(bad.lastExit.contains("exited with code 3"))
    }
  }

  @Test func `a spinning worker is found by its silence`() async throws {
    let supervision: JSONObject = [
      "ping_interval_ms": 50, "ping_timeout_ms": 1500, "max_restarts": 0,
    ]
    try await misbehave("spin", supervision: supervision) { agent in
      let bad = try await agent.process("bad", "is FAILED") { $0.state == "FAILED" }
      #expect(bad.reason.contains("didn't answer"), "\(bad.reason)")
    }
  }

  @Test(arguments: ["slow-leak", "leak"])
  func `a leaking worker is ended at its limit`(_ mode: String) async throws {
    let supervision: JSONObject = ["max_restarts": 0]
    try await misbehave(mode, process: ["limits": ["memory": "64MB"]], supervision: supervision) {
      agent in
      let bad = try await agent.process("bad", "is FAILED") { $0.state == "FAILED" }
      // What leaks faster than the host looks may meet the kernel's bound first, and its own abort.
      let isNamed = bad.reason.contains("limits.memory allows 64 MB")
      #expect(isNamed || mode == "leak" && bad.reason.contains("SIGABRT"), "\(bad.reason)")
    }
  }

  @Test func `a worker can neither fork nor leave the host's control`() async throws {
    try await misbehave("fork") { agent in
      try await agent.record(of: "bad", with: "Operation not permitted")
      #expect(try await agent.process("bad", "runs") { $0.state == "RUNNING" }.restarts == 0)
    }
  }

  @Test func `a worker can't leave its session, and ends with its host`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addMisbehaving()
      try agent.settings(
        modules: ["misbehaving"], processes: ["bad": ["type": "misbehave", "mode": "setsid"]])
      try await agent.run()
      try await agent.record(of: "bad", with: "Operation not permitted")
      let bad = try await agent.process("bad", "runs") { $0.state == "RUNNING" }
      agent.signal(SIGKILL)
      _ = try await agent.ended()
      _ = try await eventually("the worker has ended", within: .longest) {
        ProcessTable.isAlive(bad.pid ?? 0) ? nil : true
      }
    }
  }

  @Test(arguments: [
    ("close-socket", "exited with code 0"), ("garbage", "frame"), ("huge-length", "2147483647"),
  ])
  func `a worker that breaks the protocol is ended with the reason`(
    _ mode: String, _ words: String
  ) async throws {
    try await misbehave(mode, supervision: ["max_restarts": 1]) { agent in
      let bad = try await agent.process("bad", "is FAILED") { $0.state == "FAILED" }
      #expect(bad.reason.contains(words), "\(bad.reason)")
    }
  }

  @Test(arguments: ["flood-log", "flood-events"])
  func `a flooding worker harms nobody and can be stopped`(_ mode: String) async throws {
    try await misbehave(mode) { agent in
      let clock = try await agent.process("clock", "runs") { $0.state == "RUNNING" }
      try await agent.isHealthy("clock", since: clock)
      let stopped = try await agent.agent("process", "stop", "bad")
      #expect(stopped.status == 0, "\(stopped.errors)")
      let bad = try await agent.process("bad", "is STOPPED") { $0.state == "STOPPED" }
      #expect(bad.restarts == 0)
    }
  }

  @Test(arguments: ["ignore-stop", "crash-stop"])
  func `a worker that ignores a stop is killed`(_ mode: String) async throws {
    let supervision: JSONObject = ["stop_timeout_ms": 200, "kill_timeout_ms": 200]
    try await misbehave(mode, supervision: supervision) { agent in
      let before = try await agent.process("bad", "runs") { $0.state == "RUNNING" }
      #expect(try await agent.agent("process", "stop", "bad").status == 0)
      let bad = try await agent.process("bad", "is STOPPED") { $0.state == "STOPPED" }
      #expect(bad.restarts == 0)
      #expect(!ProcessTable.isAlive(before.pid ?? 0))
      #expect(try await agent.agent("process", "start", "bad").status == 0)
      try await agent.process("bad", "runs again") { $0.state == "RUNNING" }
    }
  }

  @Test(arguments: [
    ("garbage", "wasn't ready"), ("huge-length", "2147483647"), ("exit", "exited with code 5"),
    ("hang-up", "closed its socket and went on running"), ("silent", "wasn't ready"),
    ("dumb", "wasn't ready"), ("flood", ""),
  ])
  func `a command that speaks the protocol badly is contained`(
    _ mode: String, _ words: String
  ) async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addRawWorker(mode)
      try await agent.addTicker()
      try agent.settings(
        modules: ["raw", "ticker"],
        processes: ["clock": ["type": "ticks"], "bad": ["type": "raw"]],
        supervision: ["max_restarts": 1, "ready_timeout_ms": 2000])
      try await agent.run()
      let before = try await agent.process("clock", "runs") { $0.state == "RUNNING" }
      let bad = try await agent.process("bad", "is FAILED") { $0.state == "FAILED" }
      #expect(bad.reason.contains(words), "\(bad.reason)")
      try await agent.isHealthy("clock", since: before)
    }
  }
}
