import AgentAssignment
import AgentBots
import AgentDiagnostics
import AgentStore
import AgentTasks
import AgentTasksTesting
import Testing

/// Rows that can't be read are named, and can be removed.
@Suite struct StoredRowsTests {
  private func task(
    _ definition: String = "{}", name: String = "n", result: String? = nil
  ) -> TaskRow {
    TaskRow(
      name: name, type: "t", state: .waiting, priority: 0, queueKey: "t", created: 1, updated: 1,
      definition: Array(definition.utf8), result: result.map { Array($0.utf8) })
  }

  @Test func `every unreadable row is named with its fault`() async throws {
    let test = try await TaskFixture()
    let store = test.store
    let rows = [
      task(), task("{"), task("[1]"), task(result: "{}"), task(result: "?"), task(name: "a\u{1b}"),
    ]
    let ids = try await store.write { transaction in
      try transaction.bots.put(
        BotRow(
          id: "odd", definition: [0x7b], lifecycle: "online", registered: 1, updated: 1,
          heartbeat: 1))
      return try rows.map { try transaction.tasks.insert($0) }
    }
    _ = try await test.dispatcher.register(
      BotDefinition(
        name: "even", type: .worker,
        capabilities: [BotCapability(name: "c", taskTypes: ["paint"])]), id: "even", by: "test")
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
    try await test.dispatcher.unregister("odd", by: nil)
    for row in problems where row.table == "tasks" {
      _ = try await test.engine.delete(try #require(Int64(row.id)))
    }
    #expect(try await StoredRows.problems(in: store).isEmpty)
    await test.end()
  }
}
