import AgentStore
import Testing

/// Tasks by their bytes, and the walk that removes old ones.
@Suite struct TaskBytesTests {
  private func task(
    _ name: String, state: TaskRow.State = .queued, wake: Int64? = nil, finished: Int64? = nil,
    definition: String = "{}"
  ) -> TaskRow {
    TaskRow(
      name: name, type: "t", state: state, priority: 500, queueKey: "t", created: 1, updated: 1,
      wake: wake, finished: finished, definition: Array(definition.utf8),
      history: Array("{}\n".utf8))
  }

  @Test(arguments: Implementation.allCases)
  func `a scan ends by bytes, and continues with the next task`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let large = "\"" + String(repeating: "x", count: 3 << 20) + "\""
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      for _ in 0..<4 {
        var row = task("a", state: .running, wake: 1, definition: large)
        (row.owner, row.bot) = ("b", "b")
        (row.hostEnds, row.escalateAt) = (1, 1)
        try tasks.insert(row)
        try tasks.insert(task("q", definition: large))
      }
      #expect(try tasks.due(by: 1, limit: 9).map(\.id) == [1, 3, 5])
      #expect(try tasks.held(from: 0, limit: 9).map(\.id) == [1, 3, 5])
      #expect(try tasks.held(from: 6, limit: 9).map(\.id) == [7])
      #expect(try tasks.held(by: "b", from: 0).map(\.id) == [1, 3, 5])
      #expect(try tasks.held(by: "b", from: 6).map(\.id) == [7])
      #expect(try tasks.suspects(from: 0, limit: 9).map(\.id) == [1, 3, 5])
      #expect(try tasks.suspects(from: 6, limit: 9).map(\.id) == [7])
      #expect(try tasks.heads(of: "t", limit: 9).map(\.id) == [2, 4, 6])
      // These read no texts.
      #expect(try tasks.escalations(dueBy: 1, limit: 9) == [1, 3, 5, 7])
      #expect(try tasks.leases(from: 0, limit: 9).map(\.task) == [1, 3, 5, 7])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `the bytes of open tasks are those of the rows, also after a failed write`(
    _ implementation: Implementation
  ) async throws {
    struct Refused: Error {}
    var test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      for creator in [nil, "x", "x", "y"] as [String?] {
        var row = task("a", definition: "{\"a\":1}")
        row.creator = creator
        row.id = try tasks.insert(row)
      }
      // What is being changed counts at once.
      #expect(try tasks.openBytes(of: nil) == 28)
      #expect(try tasks.openBytes(of: "x") == 14)
    }
    await #expect(throws: Refused.self) {
      try await test.store.write { [self] transaction throws in
        try transaction.tasks.insert(task("lost"))
        throw Refused()
      }
    }
    func change(_ id: Int64, _ body: @escaping @Sendable (inout TaskRow) -> Void) async throws {
      try await test.store.write { transaction throws in
        guard let row = try transaction.tasks.task(id) else { return }
        var next = row
        body(&next)
        #expect(try transaction.tasks.update(next, from: row))
      }
    }
    try await change(2) { ($0.state, $0.finished) = (.succeeded, 5) }
    try await change(3) { $0.definition = Array("{}".utf8) }
    try await change(4) { ($0.state, $0.finished) = (.failed, 5) }
    test = try await test.reopened(implementation)
    try await test.store.write { transaction throws in
      #expect(try transaction.tasks.task(2)?.creator == "x")
      #expect(try transaction.tasks.openBytes(of: nil) == 9)
      #expect(try transaction.tasks.openBytes(of: "x") == 2)
      #expect(try transaction.tasks.openBytes(of: "y") == 0)
    }
    try await change(4) { ($0.state, $0.finished) = (.queued, nil) }
    try await test.store.write { transaction throws in
      #expect(try transaction.tasks.openBytes(of: "y") == 7)
      for id in 1...4 as ClosedRange<Int64> { try transaction.tasks.remove(id) }
      #expect(try transaction.tasks.openBytes(of: nil) == 0)
    }
    try await test.store.write { transaction throws in
      #expect(try transaction.tasks.openBytes(of: "y") == 0)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `old tasks are removed behind any number that a clock ahead has created`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    let (now, year2036): (Int64, Int64) = (1_700_000_000_000, 2_100_000_000_000)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      func insert(_ count: Int, created: Int64, finished: Int64?) throws {
        for _ in 0..<count {
          var row = task("a", state: finished == nil ? .waiting : .succeeded, finished: finished)
          row.created = created
          try tasks.insert(row)
        }
      }
      try insert(500, created: year2036, finished: nil)
      try insert(3, created: now - 10_000, finished: now - 9_000)
      // Behind these is nothing old, and the walk ends.
      try insert(1_000, created: now - 100, finished: now - 50)
      try insert(1, created: now - 10_000, finished: now - 9_000)
    }
    var (last, removed): (Int64?, [Int64]) = (0, [])
    while let number = last {
      let removal = try await test.store.write {
        try $0.tasks.removeTasks(
          finishedBefore: now - 1_000, after: number, limit: 500, now: now)
      }
      removed += removal.removed
      last = removal.last
    }
    #expect(removed == [501, 502, 503])
    await test.store.close()
  }
}
