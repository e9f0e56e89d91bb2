import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// Clocks that are set, by an hour or by a moment, and machines that rest.
@Suite struct ClockJumpTests {
  static let jumps: [Int64] = [3_600_000, -3_600_000, -300, 315_360_000_000]

  /// A bot's lease that was accepted now, with a heartbeat every ten seconds.
  private func accepted(_ test: EngineUnderTest) async throws -> TaskLease {
    let task = try await test.create(type: "bots") { $0.definition.timeouts.total = 60_000 }
    let until = test.clock.now + 5_000
    let given = try #require(
      try await test.engine.assign(task.id, to: "x", until: until, note: "", by: nil))
    let lease = TaskLease(task: task.id, attempt: given.attempt, owner: "x")
    _ = try await test.engine.accept(lease, silence: 10_000, by: nil)
    return lease
  }

  @Test(arguments: jumps)
  func `a lease expires when its time has passed, whatever the clock says`(_ jump: Int64)
    async throws
  {
    let test = try await EngineUnderTest.started()
    let lease = try await accepted(test)
    let waits = try await test.create(type: "bots") { $0.definition.timeouts.queued = 10_000 }
    test.clock.step(jump)
    test.clock.advance(4_000)
    // The first caller that sees the new time moves the leases first.
    _ = try await test.engine.heartbeat(lease, progress: nil, silence: 10_000)
    let row = try await test.engine.task(lease.task)
    #expect(row.state == .running && row.wake == test.clock.now + 10_000)
    test.clock.advance(4_000)
    #expect(try await test.engine.task(waits.id).state == .queued)
    for _ in 0..<20 { await Task.yield() }
    #expect(try await test.engine.task(lease.task).state == .running)
    test.clock.advance(2_000)
    try await reached(waits.id, .dead, in: test)
    #expect(try await test.engine.task(lease.task).state == .running)
    test.clock.advance(4_000)
    try await reached(lease.task, .queued, in: test)
    await test.remove()
  }

  /// Waits for what follows from the time that it is. The clock stands meanwhile: going on, it would
  /// come to the task's other time-outs before a slow machine has come to this one.
  private func reached(_ id: Int64, _ state: TaskState, in test: EngineUnderTest) async throws {
    try await eventually("task \(id) is \(state)") {
      test.clock.wake()
      return try await test.engine.task(id).state == state
    }
  }

  @Test(arguments: jumps)
  func `a retry comes after its wait, and a scheduled task at its moment`(
    _ jump: Int64
  ) async throws {
    let test = try await EngineUnderTest.started()
    test.executor.answerAlways(.failed(error: "no"))
    let named = test.clock.now + 1_000 + max(0, jump)
    let task = try await test.create {
      $0.definition.retry.attempts = 2
      ($0.definition.retry.initial, $0.definition.retry.jitter) = (10_000, 0)
    }
    let later = try await test.create { $0.runAt = named }
    _ = try await test.reached(task.id, .scheduled)
    test.clock.step(jump)
    let edited = try await test.engine.update(task.id, TaskEdit(), by: nil)
    #expect(edited.runAt == test.clock.now + 10_000)
    #expect(try await test.engine.task(later.id).runAt == named)
    await test.remove()
  }

  @Test(arguments: jumps)
  func `a rate continues after its own period`(_ jump: Int64) async throws {
    let test = try await EngineUnderTest.started()
    test.executor.answerAlways(.succeeded(.null))
    var tasks: [TaskRow] = []
    for _ in 0..<2 {
      tasks.append(
        try await test.create { $0.definition.rate = TaskRate(clamping: 1, period: 5_000) })
    }
    _ = try await test.reached(tasks[0].id, .succeeded)
    test.clock.step(jump)
    let moment = test.clock.now
    try await eventually("the second has begun") {
      test.clock.advance(100)
      return try await test.engine.task(tasks[1].id).state == .succeeded
    }
    let started = try #require(try await test.engine.task(tasks[1].id).started)
    #expect(started >= moment + 4_800)
    await test.remove()
  }

  @Test(arguments: jumps)
  func `a clock set while no host ran expires no lease`(_ jump: Int64) async throws {
    let first = try await EngineUnderTest.started()
    let lease = try await accepted(first)
    await first.stop()
    first.clock.step(jump)
    first.clock.advance(1_000)
    let test = try await EngineUnderTest.started(owner: "second", after: first)
    let row = try await test.engine.task(lease.task)
    #expect(row.state == .running && row.wake == test.clock.now + 9_000)
    _ = try await test.engine.heartbeat(lease, progress: nil, silence: 10_000)
    // It is set right.
    test.clock.step(-jump)
    _ = try await test.engine.heartbeat(lease, progress: nil, silence: 10_000)
    let later = try await test.engine.task(lease.task)
    #expect(later.state == .running && later.wake == test.clock.now + 10_000)
    try await eventually("the lease is over") {
      test.clock.advance(500)
      return try await test.engine.task(lease.task).state == .queued
    }
    await test.remove()
  }

  @Test func `a machine that starts at an earlier time expires no lease`() async throws {
    let first = try await EngineUnderTest.started(boot: "a")
    let lease = try await accepted(first)
    await first.stop()
    // How long it was off isn't known; it can't have been less than no time.
    first.clock.step(-3_600_000)
    let test = try await EngineUnderTest.started(owner: "second", boot: "b", after: first)
    let row = try await test.engine.task(lease.task)
    #expect(row.state == .running && row.wake == test.clock.now + 10_000)
    test.clock.step(3_600_000)
    _ = try await test.engine.heartbeat(lease, progress: nil, silence: 10_000)
    #expect(try await test.engine.task(lease.task).wake == test.clock.now + 10_000)
    await test.remove()
  }

  @Test(arguments: ["a", "b"])
  func `a host that begins with a wrong clock removes nothing`(_ boot: String) async throws {
    let change: @Sendable (inout TaskPlan) -> Void = { $0.keep = 86_400_000 }
    let first = try await EngineUnderTest.started(boot: "a", change)
    first.executor.answerAlways(.succeeded(.null))
    let task = try await first.create()
    _ = try await first.reached(task.id, .succeeded)
    await first.stop()
    first.clock.step(90 * 86_400_000)
    let test = try await EngineUnderTest.started(
      owner: "second", boot: boot, after: first, change)
    try await eventually("it has looked") { test.clock.hasSleeper(of: 600_000) }
    #expect(try await test.engine.task(task.id).state == .succeeded)
    await test.remove()
  }

  @Test func `a jumped clock removes nothing for an hour`() async throws {
    let test = try await EngineUnderTest.started { $0.keep = 86_400_000 }
    test.executor.answerAlways(.succeeded(.null))
    let task = try await test.create()
    _ = try await test.reached(task.id, .succeeded)
    test.clock.step(90 * 86_400_000)
    _ = try await test.engine.update(task.id, TaskEdit(), by: nil)
    for _ in 0..<5 {
      try await eventually("it rests") { test.clock.hasSleeper(of: 600_000) }
      test.clock.advance(600_000)
    }
    #expect(try await test.engine.task(task.id).state == .succeeded)
    try await eventually("it is removed") {
      test.clock.advance(600_000)
      return (try? await test.engine.task(task.id)) == nil
    }
    await test.remove()
  }
}
