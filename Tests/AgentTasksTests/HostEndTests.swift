import AgentAssignment
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// Hosts that end while they begin tasks.
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
    // It goes on for long enough: the next host's end isn't its fault.
    try await eventually("the others begin, too") {
      test.clock.advance(100)
      return try await test.engine.task(ids[3]).state == .running
    }
    try await eventually("they are cleared") {
      test.clock.advance(100)
      for id in ids where try await test.engine.task(id).hostEnds > 0 { return false }
      return true
    }
    await test.remove()
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
