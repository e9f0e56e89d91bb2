import Testing

@testable import AgentStore

/// The tables of numbers have rows only for what exists.
@Suite struct SQLiteCountTests {
  private static func task(_ type: String) -> TaskRow {
    TaskRow(
      name: "a", type: type, state: .queued, priority: 500, queueKey: type, rank: 0, created: 1,
      updated: 1, definition: Array("{}".utf8), history: Array("{}\n".utf8))
  }

  /// The number of rows of both tables.
  private static func rows(_ path: String) throws -> [Int64] {
    let connection = try SQLiteConnection(path: path, isReader: false)
    let rows = try connection.use { session throws(StoreError) in
      [
        try session.number("SELECT count(*) FROM task_counts"),
        try session.number("SELECT count(*) FROM assignment_figures"),
      ]
    }
    try connection.close()
    return rows
  }

  @Test func `a type without tasks and a bot without assignments have no counts`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("counts.db")
    var store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: path))
    try await store.write { transaction throws in
      for number in 1...3 as ClosedRange<Int64> {
        var task = Self.task("t\(number)")
        task.id = try transaction.tasks.insert(task)
        var ended = task
        (ended.state, ended.finished) = (.succeeded, 2)
        #expect(try transaction.tasks.update(ended, from: task))
        var assignment = AssignmentRow(
          task: number, attempt: 1, bot: "b\(number)", strategy: "", capability: nil, decision: [],
          waited: 0, created: 1)
        assignment.id = try transaction.assignments.insert(assignment)
        assignment.state = .accepted
        try transaction.assignments.update(assignment)
        (assignment.state, assignment.ended) = (.completed, 2)
        try transaction.assignments.update(assignment)
      }
    }
    try await store.write { transaction throws in
      #expect(try transaction.tasks.remove(1))
      #expect(
        try transaction.tasks.removeTasks(finishedBefore: 9, after: 0, limit: 1, now: 9).removed
          == [2])
      // The newest one stays.
      #expect(try transaction.assignments.removeAssignments(endedBefore: 9, limit: 9) == 2)
    }
    try await store.read { snapshot throws in
      #expect(try snapshot.tasks.taskCounts().map(\.type) == ["t3"])
      let last = [AssignmentStatistics(state: .completed, count: 1, duration: 1)]
      #expect(try snapshot.assignments.statistics(bot: "b3") == last)
      #expect(try snapshot.assignments.statistics(bot: nil) == last)
    }
    await store.close()
    // The last type keeps the states that it had, so that its counts needn't be inserted again.
    #expect(try Self.rows(path)[0] <= 2)
    #expect(try Self.rows(path)[1] <= 3)
    store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: path))
    try await store.write { transaction throws in
      // A type that goes and comes in one commit.
      #expect(try transaction.tasks.remove(3))
      try transaction.tasks.insert(Self.task("t3"))
    }
    try await store.read { snapshot throws in
      #expect(try snapshot.tasks.taskCounts().map(\.count) == [1])
    }
    await store.close()
  }
}
