import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// Tasks from their creation to their end, on a real database.
@Suite struct TaskEngineTests {
  @Test func `a completed task's record has its result`() async throws {
    let test = try await EngineUnderTest.started()
    let task = try await test.create { $0.definition.input = ["n": 1] }
    test.executor.end(task.id, .succeeded(["answer": 42]))
    let done = try await test.engine.wait(for: task.id, milliseconds: 60_000)
    #expect(done.state == .succeeded)
    let report = TaskReport(done)
    #expect(report.result?["output"]?["answer"] == 42)
    #expect(report.result?["status"] == "succeeded")
    #expect(report.result?["error"]?.isNull == true)
    #expect(
      report.history.compactMap { $0["state"]?.string } == ["queued", "running", "succeeded"])
    #expect(report.history.first?["by"] == "test")
    #expect(report.json["input"] == ["n": 1])
    await test.remove()
  }

  @Test func `an unknown type is refused with the nearest name`() async throws {
    let test = try await EngineUnderTest.started()
    await #expect {
      _ = try await test.create(type: "pupet")
    } throws: {
      ($0 as? TaskError)?.code == .invalid && "\($0)".contains("Did you mean \"puppet\"?")
    }
    await test.remove()
  }

  @Test func `urgent tasks go first, after those that waited long enough`() async throws {
    let test = try await EngineUnderTest.started(slots: 0)
    let old = try await test.create("old")
    // 250 points of priority outweigh ten minutes.
    test.clock.advance(600_001)
    _ = try await test.create("low") { $0.priority = 250 }
    _ = try await test.create("high") { $0.priority = 750 }
    let last = try await test.create("normal")
    test.executor.answerAlways(.succeeded(.null))
    var plan = test.engine.plan
    plan.slots = 1
    test.engine.apply(plan)
    _ = try await test.engine.wait(for: last.id, milliseconds: 1)
    for id in old.id...last.id { _ = try await test.reached(id, .succeeded) }
    #expect(test.executor.begun == ["old", "high", "normal", "low"])
    await test.remove()
  }

  @Test func `tasks that run end when the plan has fewer slots than they use`() async throws {
    let test = try await EngineUnderTest.started(slots: 2)
    let tasks = [try await test.create("a"), try await test.create("b")]
    for task in tasks { _ = try await test.reached(task.id, .running) }
    let waits = try await test.create("c")
    var plan = test.engine.plan
    plan.slots = 0
    test.engine.apply(plan)
    for task in tasks {
      test.executor.end(task.id, .succeeded(.null))
      _ = try await test.reached(task.id, .succeeded)
    }
    #expect(try await test.engine.task(waits.id).state == .queued)
    await test.remove()
  }

  @Test func `a failed task is retried after its wait until it is dead`() async throws {
    let test = try await EngineUnderTest.started()
    test.executor.answerAlways(.failed(error: "no luck"))
    let task = try await test.create {
      $0.definition.retry.attempts = 3
      $0.definition.retry.jitter = 0
    }
    let first = try await test.reached(task.id, .scheduled)
    #expect(first.runAt == test.clock.now + 1_000)
    // Again and again, because a timer may begin to wait after the clock was advanced.
    try await eventually("the second attempt has failed") {
      test.clock.advance(100)
      return try await test.engine.task(task.id).failures == 2
    }
    try await eventually("the third attempt has failed") {
      test.clock.advance(100)
      return try await test.engine.task(task.id).state == .dead
    }
    let dead = try await test.engine.task(task.id)
    #expect(dead.state == .dead && dead.attempt == 3)
    #expect(TaskReport(dead).result?["error"] == "no luck")
    await test.remove()
  }

  @Test func `a task that failed for good isn't retried, except on request`() async throws {
    let test = try await EngineUnderTest.started()
    let task = try await test.create { $0.definition.retry.attempts = 3 }
    test.executor.end(task.id, .failed(error: "wrong", isFinal: true))
    #expect(try await test.engine.wait(for: task.id, milliseconds: 60_000).state == .failed)
    test.executor.end(task.id, .succeeded(.null))
    _ = try await test.engine.retry(task.id, by: "alice")
    #expect(try await test.engine.wait(for: task.id, milliseconds: 60_000).state == .succeeded)
    await #expect(throws: TaskError.self) { try await test.engine.retry(task.id, by: "alice") }
    await test.remove()
  }

  @Test func `a key's limit applies to all tasks that share it`() async throws {
    let test = try await EngineUnderTest.started(slots: 4)
    var ids: [Int64] = []
    for name in ["a", "b", "c"] {
      let task = try await test.create(name) {
        ($0.definition.concurrencyKey, $0.definition.concurrencyLimit) = ("disk", 2)
      }
      ids.append(task.id)
    }
    let free = try await test.create("free")
    _ = try await test.reached(free.id, .running)
    _ = try await test.reached(ids[1], .running)
    let third = try await test.engine.task(ids[2])
    #expect(third.state == .queued)
    #expect(test.engine.explain(third) == ["2 of 2 tasks with the key \"disk\" are running."])
    test.executor.end(ids[0], .succeeded(.null))
    _ = try await test.reached(ids[2], .running)
    await test.remove()
  }

  @Test func `no more tasks start within a period than the rate permits`() async throws {
    let test = try await EngineUnderTest.started()
    test.executor.answerAlways(.succeeded(.null))
    var ids: [Int64] = []
    for _ in 0..<3 {
      let task = try await test.create {
        $0.definition.rate = TaskRate(clamping: 2, period: 1_000)
      }
      ids.append(task.id)
    }
    _ = try await test.reached(ids[1], .succeeded)
    #expect(try await test.engine.task(ids[2]).state == .queued)
    try await eventually("the third begins") {
      test.clock.advance(100)
      return try await test.engine.task(ids[2]).state != .queued
    }
    _ = try await test.reached(ids[2], .succeeded)
    await test.remove()
  }

  @Test func `cancelling stops a running task and skips a waiting one`() async throws {
    let test = try await EngineUnderTest.started(slots: 1)
    let (runs, waits) = (try await test.create(), try await test.create())
    _ = try await test.reached(runs.id, .running)
    #expect(try await test.engine.cancel(waits.id, by: "bob").state == .cancelled)
    #expect(try await test.engine.cancel(runs.id, by: "bob").cancelling != nil)
    let done = try await test.engine.wait(for: runs.id, milliseconds: 60_000)
    #expect(done.state == .cancelled)
    #expect(test.executor.begun.count == 1)
    await #expect(throws: TaskError.self) { try await test.engine.cancel(runs.id, by: "bob") }
    await test.remove()
  }

  @Test func `an attempt that takes too long is stopped and fails`() async throws {
    let test = try await EngineUnderTest.started()
    let task = try await test.create { $0.definition.timeouts.run = 5_000 }
    _ = try await test.reached(task.id, .running)
    try await eventually("it is stopped") {
      test.clock.advance(1_000)
      return try await test.engine.task(task.id).state != .running
    }
    let failed = try await test.reached(task.id, .failed)
    #expect(TaskReport(failed).result?["error"] == "It took longer than 5000 ms and was stopped.")
    await test.remove()
  }

  @Test func `a task that isn't started in time is dead`() async throws {
    let test = try await EngineUnderTest.started(slots: 0)
    let task = try await test.create { $0.definition.timeouts.queued = 500 }
    test.clock.advance(499)
    #expect(try await test.engine.task(task.id).state == .queued)
    try await eventually("it isn't waited for any more") {
      test.clock.advance(1)
      return try await test.engine.task(task.id).state != .queued
    }
    #expect(try await test.engine.task(task.id).state == .dead)
    await test.remove()
  }

  @Test func `a key creates one task, and another after its end if the key permits`() async throws {
    let test = try await EngineUnderTest.started()
    func create(_ unique: TaskUniqueness) async throws -> TaskEngine.Creation {
      var draft = TaskDraft(name: "a", type: "puppet")
      draft.definition.input = ["b": 1, "a": 2]
      draft.unique = unique
      return try await test.engine.create(draft, by: nil)
    }
    let first = try await create(.whileOpen)
    let second = try await create(.whileOpen)
    #expect(!first.existed && second.existed && second.task.id == first.task.id)
    test.executor.end(first.task.id, .succeeded(.null))
    _ = try await test.reached(first.task.id, .succeeded)
    #expect(try await create(.whileOpen).task.id != first.task.id)
    let keyed = try await create(.key("k"))
    test.executor.end(keyed.task.id, .succeeded(.null))
    _ = try await test.reached(keyed.task.id, .succeeded)
    #expect(try await create(.key("k")).existed)
    await test.remove()
  }

  @Test func `a retried task has its key again, unless another is open`() async throws {
    let test = try await EngineUnderTest.started()
    func create() async throws -> TaskEngine.Creation {
      var draft = TaskDraft(name: "a", type: "puppet")
      draft.unique = .whileOpen
      return try await test.engine.create(draft, by: nil)
    }
    let first = try await create().task.id
    test.executor.end(first, .failed(error: "no"))
    _ = try await test.reached(first, .failed)
    let second = try await create().task.id
    #expect(second != first)
    await #expect {
      _ = try await test.engine.retry(first, by: nil)
    } throws: { ($0 as? TaskError)?.code == .conflict && "\($0)".contains("Task \(second)") }
    #expect(try await test.engine.retryAll(type: nil, states: [.failed], by: nil) == 0)
    test.executor.end(second, .failed(error: "no"))
    _ = try await test.reached(second, .failed)
    _ = try await test.engine.retry(first, by: nil)
    let third = try await create()
    #expect(third.existed && third.task.id == first)
    await test.remove()
  }

  @Test func `a batch is created whole and knows when all its tasks have ended`() async throws {
    let test = try await EngineUnderTest.started()
    test.executor.answerAlways(.succeeded(.null))
    let bad = [TaskDraft(name: "a", type: "puppet"), TaskDraft(name: "b", type: "none")]
    await #expect(throws: TaskError.self) {
      try await test.engine.create(bad, batch: "n", by: nil)
    }
    #expect(try await test.engine.counts().isEmpty)
    let drafts = (0..<10).map { TaskDraft(name: "job \($0)", type: "puppet") }
    let (batch, creations) = try await test.engine.create(drafts, batch: "n", by: nil)
    for creation in creations { _ = try await test.reached(creation.task.id, .succeeded) }
    let number = try #require(batch)
    let row = try await test.store.read { try $0.tasks.batch(number) }
    #expect(row?.total == 10 && row?.pending == 0 && row?.finished != nil)
    await test.remove()
  }

  @Test func `a task that the host's end interrupts continues with the next host`() async throws {
    let test = try await EngineUnderTest.started()
    let task = try await test.create()
    _ = try await test.reached(task.id, .running)
    await test.stop()
    let next = try await EngineUnderTest.started(owner: "second", after: test)
    next.executor.end(task.id, .succeeded(.null))
    let done = try await next.reached(task.id, .succeeded)
    #expect(done.attempt == 2)
    await next.remove()
  }

  @Test func `a lease that is over permits no write`() async throws {
    let test = try await EngineUnderTest.started()
    let task = try await test.create(type: "bots")
    let until = test.clock.now + 1_000
    let first = try #require(
      try await test.engine.assign(task.id, to: "x", until: until, note: "n", by: nil))
    let lease = TaskLease(task: task.id, attempt: first.attempt, owner: "x")
    _ = try await test.engine.accept(lease, silence: 500, by: nil)
    _ = try await test.engine.heartbeat(lease, progress: ["percent": 5], silence: 500)
    try await eventually("the lease is over") {
      test.clock.advance(100)
      return try await test.engine.task(task.id).state != .running
    }
    // Its bot has gone, as far as anybody knows: others may do it.
    #expect(try await test.engine.task(task.id).state == .queued)
    for outcome in [TaskOutcome.succeeded(.null), .failed(error: "e")] {
      await #expect {
        _ = try await test.engine.complete(lease, outcome, by: nil)
      } throws: {
        ($0 as? TaskError)?.code == .staleLease
      }
    }
    await #expect(throws: TaskError.self) {
      _ = try await test.engine.heartbeat(lease, progress: nil, silence: 500)
    }
    #expect(try await test.engine.task(task.id).failures == 0)
    await test.remove()
  }

  @Test func `an unregistered bot leaves its tasks to others`() async throws {
    let test = try await EngineUnderTest.started()
    let task = try await test.create(type: "bots")
    #expect(try await test.engine.waitingForBots(limit: 9).rows.map(\.id) == [task.id])
    _ = try await test.engine.assign(task.id, to: "x", until: .max, note: "n", by: nil)
    #expect(try await test.engine.waitingForBots(limit: 9).rows.isEmpty)
    #expect(try await test.engine.release(bot: "x", note: "It has gone.") == 1)
    #expect(try await test.engine.task(task.id).state == .queued)
    #expect(try await test.engine.waitingForBots(limit: 9).rows.map(\.id) == [task.id])
    await test.remove()
  }

  @Test func `a task's log lines are kept under its attempt`() async throws {
    let test = try await EngineUnderTest.started()
    let task = try await test.create(type: "bots")
    _ = try await test.engine.assign(task.id, to: "x", until: .max, note: "n", by: nil)
    let lease = TaskLease(task: task.id, attempt: 1, owner: "x")
    try await test.engine.log(lease, [("stdout", "one"), ("stderr", "two")])
    let lines = try await test.engine.logLines(of: task.id, after: 0, limit: 9)
    #expect(lines.map(\.text) == ["one", "two"] && lines.map(\.attempt) == [1, 1])
    await #expect(throws: TaskError.self) {
      try await test.engine.log(TaskLease(task: task.id, attempt: 2, owner: "x"), [("a", "b")])
    }
    await test.remove()
  }
}
