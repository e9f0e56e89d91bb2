import AgentSupervision
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReplacementTests {
  @Test func `a replacement is ready before its predecessor stops, and starts after it`()
    async throws
  {
    let test = try TestSupervisor()
    let old = try await test.run(.shell("a", environment: ["GENERATION=1"]))
    let new = try await test.supervisor.replace(
      "a", with: .shell("a", environment: ["GENERATION=2"]))
    #expect(new.pid != old.pid)
    #expect(old.pid.map(isAlive) == false)
    let running = try await test.supervisor.settled("a")
    #expect(running.state == .running(started: true))
    #expect(running.pid == new.pid)
    #expect(
      kinds(test.events) == [
        "spawned", "ready", "started", "spawned", "ready", "stopping", "exited", "stopped",
        "started",
      ])
    await test.supervisor.shutdown()
  }

  @Test func `a predecessor continues when its replacement doesn't get ready`() async throws {
    let test = try TestSupervisor()
    let old = try await test.run(.shell("a"))
    let error = await #expect(throws: SupervisionError.self) {
      try await test.supervisor.replace("a", with: .shell("a", script: "exit 3"))
    }
    #expect(error?.code == .replacementFailed)
    #expect(error?.message.contains("exited with code 3") == true)
    let status = try await test.supervisor.status("a")
    #expect(status.pid == old.pid)
    #expect(status.state == .running(started: true))
    await test.supervisor.shutdown()
  }

  @Test func `a stubborn predecessor delays its replacement no longer than its deadline`()
    async throws
  {
    let test = try TestSupervisor()
    let deaf = "trap '' TERM; echo ready >&3; while read -r w <&3; do echo started >&3; done"
    let quick = ChildTimeouts(
      stop: .milliseconds(30), terminate: .milliseconds(300), pingInterval: nil)
    let old = try await test.run(.shell("a", script: deaf, timeouts: quick))
    let new = try await test.supervisor.replace("a", with: .shell("a"))
    #expect(try await test.supervisor.settled("a").pid == new.pid)
    #expect(old.pid != new.pid)
    await test.supervisor.shutdown()
    #expect(old.pid.map(isAlive) == false)
  }

  @Test func `a replacement with overlap starts at once`() async throws {
    let test = try TestSupervisor()
    _ = try await test.run(.shell("a"))
    try await test.supervisor.replace("a", with: .shell("a"), overlaps: true)
    _ = try await test.supervisor.settled("a")
    await test.events.next(.stopped)
    #expect(kinds(test.events).suffix(3) != ["stopped", "started"])
    await test.supervisor.shutdown()
  }

  @Test func `a stop ends a replacement in progress`() async throws {
    let test = try TestSupervisor()
    _ = try await test.run(.shell("a"))
    let slow = ChildSpec.shell("a", script: "echo slow; sleep 1000", timeouts: .init(stop: .zero))
    let replacing = Task { try await test.supervisor.replace("a", with: slow) }
    _ = await test.events.next { $0.line }
    let status = try await test.supervisor.stop("a")
    #expect(status.state == .stopped)
    await #expect(throws: SupervisionError.self) { try await replacing.value }
    await test.supervisor.shutdown()
    #expect(await test.supervisor.status().map(\.state) == [.stopped])
  }

  @Test func `a child that is down takes the new spec and starts unless it was stopped`()
    async throws
  {
    let test = try TestSupervisor()
    let failed = try await test.run(.shell("a", script: "exit 1", restart: .init(mode: .temporary)))
    #expect(failed.state == .finished(succeeded: false))
    try await test.supervisor.replace("a", with: .shell("a"))
    #expect(try await test.supervisor.settled("a").state == .running(started: true))
    try await test.supervisor.stop("a")
    #expect(try await test.supervisor.replace("a", with: .shell("a")).state == .stopped)
    await test.supervisor.shutdown()
  }

  private static let slowStop =
    "echo ready >&3; while read -r word <&3; do case $word in start) echo started >&3;; "
    + "stop) sleep 0.2; exit 0;; esac; done"

  @Test func `a thousand starts and retries during swaps take no swap back`() async throws {
    let test = try TestSupervisor()
    var last = try await test.run(.shell("a", script: Self.slowStop))
    for swap in 0..<10 {
      let spec = ChildSpec.shell("a", script: Self.slowStop, environment: ["SWAP=\(swap)"])
      let replacing = Task { try await test.supervisor.replace("a", with: spec) }
      await test.events.next(.stopping(reason: nil))
      for _ in 0..<50 {
        try await test.supervisor.start("a")
        try await test.supervisor.retry("a")
      }
      let new = try await replacing.value
      #expect(new.pid != last.pid)
      #expect(new.restarts == 0)
      last = try await test.supervisor.settled("a")
      #expect(last.pid == new.pid)
    }
    await test.supervisor.shutdown()
  }

  @Test func `a child that is stopped isn't brought back by its replacement`() async throws {
    let test = try TestSupervisor()
    _ = try await test.run(.shell("a", script: Self.slowStop))
    let stopping = Task { try await test.supervisor.stop("a") }
    await test.events.next(.stopping(reason: nil))
    let replaced = try await test.supervisor.replace("a", with: .shell("a"))
    #expect(replaced.state == .stopped)
    #expect(try await stopping.value.state == .stopped)
    try await test.supervisor.start("a")
    #expect(try await test.supervisor.settled("a").state == .running(started: true))
    await test.supervisor.shutdown()
  }

  @Test func `a replacement that doesn't end in time is given up, and its predecessor continues`()
    async throws
  {
    let test = try TestSupervisor()
    let old = try await test.run(.shell("a"))
    let stuck = ChildSpec.shell(
      "a", script: "sleep 1000", timeouts: .init(ready: .milliseconds(50), pingInterval: nil))
    let error = await #expect(throws: SupervisionError.self) {
      try await test.supervisor.replace("a", with: stuck)
    }
    #expect(error?.code == .replacementFailed)
    #expect(try await test.supervisor.status("a").pid == old.pid)
    await test.supervisor.shutdown()
  }

  private func kinds(_ events: EventLog) -> [String] {
    events.all.filter { $0.name == "a" }.map { event in
      String("\(event.kind)".prefix { $0 != "(" }.split(separator: ".").last ?? "")
    }
  }
}
