import AgentAssignment
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// Hosts that end while tasks run.
@Suite struct HostEndTests {
  /// The rows that a killed host leaves: its tasks are its own, as if it had begun them just now.
  private func kill(_ test: EngineUnderTest, _ ids: [Int64], host: String) async throws {
    await test.stop()
    let store = try await EngineUnderTest.opened(test)
    try await store.write { transaction in
      for id in ids {
        guard let row = try transaction.tasks.task(id) else { continue }
        var taken = row
        taken.state = .running
        taken.owner = "host:\(host)"
        taken.attempt = row.attempt + 1
        taken.started = row.updated
        taken.runAt = nil
        taken.wake = nil
        _ = try transaction.tasks.update(taken, from: row)
      }
    }
    await store.close()
  }

  @Test func `a task is put aside before its third start and can be retried`() async throws {
    var test = try await EngineUnderTest.started(slots: 0)
    let task = try await test.create()
    try await kill(test, [task.id], host: "a")
    test = try await EngineUnderTest.started(slots: 0, owner: "b", after: test)
    #expect(try await test.engine.task(task.id).state == .queued)
    try await kill(test, [task.id], host: "b")
    test = try await EngineUnderTest.started(owner: "c", after: test)
    let row = try await test.engine.task(task.id)
    #expect(row.state == .dead)
    let error = TaskReport(row).result?["error"]?.string ?? ""
    #expect(error.contains("The host ended 2 times") && error.contains("agent task retry 1"))
    #expect(test.executor.begun.isEmpty)
    test.executor.answerAlways(.succeeded(.null))
    _ = try await test.engine.retry(task.id, by: nil)
    #expect(try await test.reached(task.id, .succeeded).hostEnds == 0)
    await test.remove()
  }

  @Test func `a killed host's tasks run one after the other, and only one is put aside`()
    async throws
  {
    var test = try await EngineUnderTest.started(slots: 0)
    var ids: [Int64] = []
    for _ in 0..<4 { ids.append(try await test.create().id) }
    try await kill(test, ids, host: "a")
    test = try await EngineUnderTest.started(slots: 9, owner: "b", after: test)
    _ = try await test.reached(ids[0], .running)
    for id in ids.dropFirst() { #expect(try await test.engine.task(id).state == .scheduled) }
    try await eventually("the others begin, too") {
      test.clock.advance(100)
      return try await test.engine.task(ids[3]).state == .running
    }
    await test.remove()
  }

  @Test func `a task is put aside before its third start however long it ran`() async throws {
    var test = try await EngineUnderTest.started()
    let task = try await test.create()
    for owner in ["b", "c"] {
      _ = try await test.reached(task.id, .running)
      try await live(test, milliseconds: 86_400_000)
      await test.kill()
      test = try await EngineUnderTest.started(owner: owner, after: test)
    }
    #expect(try await test.engine.task(task.id).state == .dead)
    #expect(test.executor.begun.isEmpty)
    await test.remove()
  }

  /// Lets time pass, and everything be stored that follows from it.
  private func live(_ test: EngineUnderTest, milliseconds: Int64) async throws {
    test.clock.advance(milliseconds)
    for _ in 0..<20 { _ = try await test.create("other", type: "bots") }
  }

  /// Tasks beside what is known of them: how many hosts were killed during the task since one of its
  /// attempts ended by itself.
  private struct Model {
    var ends: [Int64: Int] = [:]
    var succeeded: Set<Int64> = []

    func isDead(_ id: Int64) -> Bool { ends[id, default: 0] >= 2 }
    var open: [Int64] { ends.keys.filter { !isDead($0) && !succeeded.contains($0) }.sorted() }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `no task runs a third time after two killed hosts, and each other one goes on`(
    seed: UInt64
  ) async throws {
    var dice = SeededGenerator(seed: seed)
    var test = try await EngineUnderTest.started { $0.maxLost = .max }
    var model = Model()
    for _ in 0..<4 {
      let task = try await test.create { $0.definition.retry.attempts = 1_000 }
      model.ends[task.id] = 0
    }
    for life in 0..<12 {
      let running = model.open
      for id in running {
        try await eventually("task \(id) runs") {
          test.clock.advance(500)
          return try await test.engine.task(id).state == .running
        }
      }
      try await live(test, milliseconds: .random(in: 0...600_000, using: &dice))
      var interrupted: [Int64] = []
      for id in running {
        if try await !end(id, of: test, &model, &dice) { interrupted.append(id) }
      }
      if Bool.random(using: &dice) {
        await test.kill()
        for id in interrupted { model.ends[id, default: 0] += 1 }
      } else {
        await test.stop()
      }
      test = try await EngineUnderTest.started(owner: "\(life)", after: test) {
        $0.maxLost = .max
      }
      for id in model.ends.keys {
        let row = try await test.engine.task(id)
        let isDead = row.state == .dead
        #expect(isDead == model.isDead(id), "life \(life): task \(id) is \(row.state)")
      }
    }
    await test.remove()
  }

  /// Ends the attempt of a task, or lets it go on; whether it has ended.
  private func end(
    _ id: Int64, of test: EngineUnderTest, _ model: inout Model, _ dice: inout SeededGenerator
  ) async throws -> Bool {
    let state: TaskState
    switch UInt8.random(in: 0..<12, using: &dice) {
    case 0:
      test.executor.end(id, .succeeded(.null))
      model.succeeded.insert(id)
      state = .succeeded
    case 1:
      test.executor.end(id, .snoozed(milliseconds: 1_000))
      state = .scheduled
    case 2:
      test.executor.end(id, .failed(error: "for a test"))
      state = .scheduled
    default: return false
    }
    model.ends[id] = 0
    _ = try await test.reached(id, state)
    return true
  }

  @Test func `suspects are settled before the write that separates them ends`() async throws {
    var test = try await EngineUnderTest.started(slots: 0)
    var ids: [Int64] = []
    for _ in 0..<2 { ids.append(try await test.create().id) }
    try await kill(test, ids, host: "a")
    test = try await EngineUnderTest.started(slots: 0, owner: "b", after: test)
    let journal = SettlingJournal()
    test.engine.record { _, _ in journal.stored() }
    test.engine.observe { _ in journal.settle() }
    try await test.engine.separateSuspects(WatchedStore(test.store, journal))
    #expect(journal.settled == 1 && journal.late == 0)
    await test.remove()
  }

  @Test func `tasks put apart stay apart after another end of the host`() async throws {
    var test = try await EngineUnderTest.started(slots: 0)
    var ids: [Int64] = []
    for _ in 0..<3 { ids.append(try await test.create().id) }
    try await kill(test, ids, host: "a")
    test = try await EngineUnderTest.started(slots: 0, owner: "b", after: test)
    try await kill(test, [ids[0]], host: "b")
    test.clock.advance(60_000)
    test = try await EngineUnderTest.started(slots: 9, owner: "c", after: test)
    #expect(try await test.engine.task(ids[0]).state == .dead)
    _ = try await test.reached(ids[1], .running)
    #expect(try await test.engine.task(ids[2]).state == .scheduled)
    await test.remove()
  }

  @Test func `tasks in safe mode are read and removed but not started`() async throws {
    let test = try await EngineUnderTest.started(slots: 0)
    let (queued, held) = (try await test.create(), try await test.create())
    await test.stop()
    let store = try await EngineUnderTest.opened(test)
    _ = try await store.write { transaction in
      let row = try #require(try transaction.tasks.task(held.id))
      var taken = row
      taken.state = .running
      taken.owner = "host:a"
      taken.attempt = 1
      return try transaction.tasks.update(taken, from: row)
    }
    let engine = TaskEngine(owner: "safe", now: { 1 }, log: { _, _ in })
    await #expect(throws: TaskError.self) { try await engine.task(held.id) }
    engine.openSafely(store)
    #expect(try await engine.tasks(TaskSelection()).count == 2)
    #expect(try await engine.report(of: held.id)["status"] == "running")
    await #expect(throws: TaskError.self) { try await engine.execute(queued.id, by: nil) }
    // Nothing is running, whatever the row says.
    #expect(try await engine.delete(held.id).id == held.id)
    #expect(try await engine.counts().map(\.count) == [1])
    await #expect(throws: TaskError.self) { try await engine.delete(held.id) }
    await store.close()
    await test.remove()
  }
}
