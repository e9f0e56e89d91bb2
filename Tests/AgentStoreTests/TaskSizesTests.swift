import AgentStore
import Testing

/// The sums of the bytes of ended tasks, logs and artifacts.
@Suite struct TaskSizesTests {
  private func task(_ finished: Int64?, result: Int = 0) -> TaskRow {
    var row = TaskRow(
      name: "a", type: "t", state: finished == nil ? .queued : .succeeded, priority: 500,
      queueKey: "t", rank: 0, created: 1, updated: 1, finished: finished,
      definition: Array("{}".utf8), history: Array("{}\n".utf8))
    row.result = [UInt8](repeating: 1, count: result)
    return row
  }

  private func artifact(_ task: Int64, _ name: String, _ size: Int64) -> TaskArtifact {
    TaskArtifact(task: task, name: name, mediaType: "", size: size, timestamp: 1)
  }

  private func sizes(_ ended: Int64, _ logs: Int64, _ artifacts: Int64) -> TaskSizes {
    var sizes = TaskSizes()
    (sizes.ended, sizes.logs, sizes.artifacts) = (ended, logs, artifacts)
    return sizes
  }

  @Test(arguments: Implementation.allCases)
  func `the sums follow each change, and a failed write changes none`(
    _ implementation: Implementation
  ) async throws {
    struct Refused: Error {}
    var test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      #expect(try tasks.taskSizes() == sizes(0, 0, 0))
      var open = task(nil)
      open.id = try tasks.insert(open)
      try tasks.insert(task(5, result: 100))
      #expect(try tasks.taskSizes() == sizes(105, 0, 0))
      var ended = open
      (ended.state, ended.finished, ended.result) = (.succeeded, 7, [1, 2, 3])
      #expect(try tasks.update(ended, from: open))
      #expect(try tasks.taskSizes() == sizes(113, 0, 0))
      let lines = ["1", "ä", "333"].map {
        TaskLogLine(task: 1, timestamp: 1, attempt: 1, stream: "stdout", text: $0)
      }
      try tasks.append(lines, keep: 2)
      #expect(try tasks.taskSizes() == sizes(113, 5, 0))
      try tasks.put(artifact(1, "a", 10))
      try tasks.put(artifact(1, "a", 4))
      try tasks.put(artifact(2, "b", 20))
      #expect(try tasks.taskSizes() == sizes(113, 5, 24))
      #expect(try tasks.artifactsOfEndedTasks(limit: 1).map(\.name) == ["a"])
    }
    await #expect(throws: Refused.self) {
      try await test.store.write { [self] transaction throws in
        try transaction.tasks.insert(task(9, result: 9))
        throw Refused()
      }
    }
    test = try await test.reopened(implementation)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      #expect(try tasks.taskSizes() == sizes(113, 5, 24))
      try tasks.removeArtifact("a", of: 1)
      #expect(try tasks.taskSizes() == sizes(113, 5, 20))
      try tasks.insert(task(nil))
      // That which ended first, whatever its number.
      #expect(try tasks.removeOldestEnded(limit: 1) == TaskRemoval(removed: [2], last: 2))
      #expect(try tasks.taskSizes() == sizes(8, 5, 0))
      #expect(try tasks.removeOldestEnded(limit: 9) == TaskRemoval(removed: [1], last: 1))
      #expect(try tasks.removeOldestEnded(limit: 9) == TaskRemoval(removed: [], last: nil))
      #expect(try tasks.taskSizes() == sizes(0, 0, 0))
      #expect(try tasks.task(3) != nil)
    }
    await test.store.close()
  }
}
