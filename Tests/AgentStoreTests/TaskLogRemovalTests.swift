import AgentStore
import Testing

/// The removal of old tasks with long logs, and of large ones.
@Suite struct TaskLogRemovalTests {
  /// How tasks are removed.
  enum Reason: CaseIterable, CustomTestStringConvertible {
    case age, bytes

    var testDescription: String { "\(self)" }

    /// Removes tasks in one step, all of which have ended.
    /// - Parameter number: the last task of the former step.
    func remove(
      after number: Int64, in transaction: any StoreTransaction
    ) throws(StoreError) -> TaskRemoval {
      switch self {
      case .age:
        try transaction.tasks.removeTasks(finishedBefore: 3, after: number, limit: 500, now: 9)
      case .bytes: try transaction.tasks.removeOldestEnded(limit: 500)
      }
    }
  }

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

  /// Stores an ended task with a result of a size.
  private static func insert(
    resultBytes: Int, in transaction: any StoreTransaction
  ) throws(StoreError) -> Int64 {
    var task = TaskRow(
      name: "a", type: "t", state: .succeeded, priority: 500, queueKey: "t", rank: 0,
      created: 1, updated: 1, finished: 2, definition: Array("{}".utf8),
      history: Array("{}\n".utf8))
    task.result = [UInt8](repeating: 1, count: resultBytes)
    return try transaction.tasks.insert(task)
  }

  @Test(arguments: Implementation.allCases, Reason.allCases)
  func `a task that is larger than a step is removed with its line in two steps at most`(
    _ implementation: Implementation, _ reason: Reason
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let id = try await test.store.write { transaction throws in
      let id = try Self.insert(resultBytes: 4 << 20 + 1, in: transaction)
      _ = try transaction.tasks.append([Self.line(id, "a")], keep: 9)
      return id
    }
    var last: Int64 = 0
    for _ in 0..<2 {
      let from = last
      let removal = try await test.store.write { try reason.remove(after: from, in: $0) }
      // Otherwise, a caller that removes all would never end.
      #expect(removal.hasProgress || removal.last == nil)
      last = removal.last ?? from
    }
    let (left, sizes) = try await test.store.read { snapshot throws in
      (try snapshot.tasks.task(id), try snapshot.tasks.taskSizes())
    }
    #expect(left == nil && sizes == TaskSizes())
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases, Reason.allCases)
  func `large tasks without lines are removed in several steps`(
    _ implementation: Implementation, _ reason: Reason
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    for _ in 0..<10 {
      try await test.store.write { transaction throws in
        for _ in 0..<10 { _ = try Self.insert(resultBytes: 1 << 20, in: transaction) }
      }
    }
    var removed: [Int64] = []
    var last: Int64? = 0
    var steps = 0
    while let from = last {
      let removal = try await test.store.write { try reason.remove(after: from, in: $0) }
      // 4 MiB, and the task that goes beyond them.
      #expect(removal.removed.count <= 5)
      removed += removal.removed
      last = removal.last
      steps += 1
      try #require(steps <= 102)
    }
    #expect(removed == Array(1...100))
    await test.store.close()
  }
}
