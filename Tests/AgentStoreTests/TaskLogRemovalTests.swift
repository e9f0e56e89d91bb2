import AgentStore
import Testing

/// The removal of old tasks with long logs.
@Suite struct TaskLogRemovalTests {
  private static func line(_ task: Int64, _ text: String) -> TaskLogLine {
    TaskLogLine(task: task, timestamp: 1, attempt: 1, stream: "stdout", text: text)
  }

  /// By lines, and by bytes.
  @Test(
    arguments: Implementation.allCases, [(12_000, 1), (20, 1 << 20)] as [(lines: Int, size: Int)])
  func `a step removes a bounded number of lines and bytes`(
    _ implementation: Implementation, _ log: (lines: Int, size: Int)
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let text = String(repeating: "a", count: log.size)
    try await test.store.write { transaction throws in
      for name in ["a", "b"] {
        let task = TaskRow(
          name: name, type: "t", state: .succeeded, priority: 500, queueKey: "t", rank: 0,
          created: 1, updated: 1, finished: 2, definition: Array("{}".utf8),
          history: Array("{}\n".utf8))
        let id = try transaction.tasks.insert(task)
        try transaction.tasks.append(
          (0..<log.lines).map { _ in Self.line(id, text) }, keep: 100_000)
      }
    }
    var removed: [Int64] = []
    var last: Int64? = 0
    var (before, steps) = (2 * log.lines, 0)
    while let from = last {
      let (removal, left) = try await test.store.write { transaction throws in
        let removal = try transaction.tasks.removeTasks(
          finishedBefore: 3, after: from, limit: 500, now: 9)
        let left = try ([1, 2] as [Int64]).reduce(0) {
          $0 + (try transaction.tasks.logLines(of: $1, after: 0, limit: .max).count)
        }
        return (removal, left)
      }
      #expect(before - left <= 5_000 && (before - left) * log.size <= 5 << 20)
      (before, steps) = (left, steps + 1)
      removed += removal.removed
      last = removal.last
      try #require(steps < 100)
    }
    #expect(removed == [1, 2] && before == 0)
    try await test.store.read { snapshot throws in
      #expect(try snapshot.tasks.task(1) == nil && snapshot.tasks.task(2) == nil)
    }
    await test.store.close()
  }
}
