import AgentAssignment
import AgentJSON
import AgentStore
import AgentTasksTesting
import Testing

@testable import AgentTasks

/// Rows that can't be read are named, and can be removed.
@Suite struct StoredRowsTests {
  private func task(
    _ definition: String = "{}", name: String = "n", result: String? = nil
  ) -> TaskRow {
    TaskRow(
      name: name, type: "t", state: .waiting, priority: 0, lane: "t", created: 1, updated: 1,
      definition: Array(definition.utf8), result: result.map { Array($0.utf8) })
  }

  @Test func `every row that can't be read is named with what is wrong`() async throws {
    let test = try await DeskUnderTest.started()
    let store = test.engine.store
    let rows = [
      task(), task("{"), task("[1]"), task(result: "{}"), task(result: "?"), task(name: "a\u{1b}"),
    ]
    let ids = try await store.write { transaction in
      try transaction.bots.put(
        BotRow(
          id: "odd", definition: [0x7b], life: "online", registered: 1, updated: 1, heartbeat: 1))
      return try rows.map { try transaction.tasks.insert($0) }
    }
    try await test.register("even")
    let problems = try await StoredRows.problems(in: store)
    let found = problems.map { "\($0.table) \($0.id): \($0.reason.prefix(24))" }
    #expect(
      found == [
        "bots odd: definition isn't that of", "tasks \(ids[1]): definition isn't a JSON ",
        "tasks \(ids[2]): definition isn't a JSON ", "tasks \(ids[4]): result isn't JSON",
        "tasks \(ids[5]): name has the control cha",
      ])
    #expect(try await StoredRows.problems(in: store, limit: 2).count == 2)
    // Each can be removed.
    try await test.desk.unregister("odd")
    for row in problems where row.table == "tasks" {
      _ = try await test.engine.engine.delete(try #require(Int64(row.id)))
    }
    #expect(try await StoredRows.problems(in: store).isEmpty)
    await test.remove()
  }

  @Test func `in safe mode tasks are looked at and removed, and nothing is done`() async throws {
    let test = try await EngineUnderTest.started(slots: 0)
    let (queued, held) = (try await test.create(), try await test.create())
    await test.stop()
    let store = try await EngineUnderTest.opened(test)
    _ = try await store.write { transaction in
      let row = try #require(try transaction.tasks.task(held.id))
      var taken = row
      (taken.state, taken.owner, taken.attempt) = (.running, "host:a", 1)
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
