import AgentStore
import Testing

/// Tasks, and what belongs to them.
@Suite struct TaskStorageTests {
  private func task(
    _ name: String, type: String = "t", state: TaskRow.State = .queued, queueKey: String = "t",
    rank: Int64 = 0, key: String? = nil, batch: Int64? = nil, wake: Int64? = nil,
    finished: Int64? = nil, definition: String = "{}"
  ) -> TaskRow {
    TaskRow(
      name: name, type: type, state: state, priority: 500, queueKey: queueKey, rank: rank,
      created: 1,
      updated: 1, wake: wake, finished: finished, uniqueKey: key, batch: batch,
      definition: Array(definition.utf8), history: Array("{}\n".utf8))
  }

  @Test(arguments: Implementation.allCases)
  func `a task is stored completely, and its key is unique`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    let row = try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      var row = task("a", key: "k")
      row.runAt = 1
      row.due = 2
      row.owner = "o"
      row.bot = "b"
      row.started = 3
      row.parent = 7
      row.schedule = 8
      row.progress = [1]
      row.result = [2]
      row.id = try tasks.insert(row)
      #expect(row.id == 1)
      #expect { try tasks.insert(task("b", key: "k")) } throws: {
        ($0 as? StoreError)?.code == .conflict
      }
      return row
    }
    test = try await test.reopened(implementation)
    try await test.store.read { snapshot throws in
      #expect(try snapshot.tasks.task(row.id) == row)
      #expect(try snapshot.tasks.task(uniqueKey: "k") == row)
      #expect(try snapshot.tasks.task(2) == nil)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `the latest clock reading alone is remembered`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      #expect(try transaction.tasks.clockMark() == nil)
      for wall: Int64 in [5, .min, .max] {
        let mark = ClockMark(boot: "b", wall: wall, steady: -1)
        try transaction.tasks.put(mark)
        #expect(try transaction.tasks.clockMark() == mark)
      }
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a change applies only to the version of the task that it was made for`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      var queued = task("a")
      queued.id = try tasks.insert(queued)
      var running = queued
      running.state = .running
      running.attempt = 1
      running.owner = "x"
      #expect(try tasks.update(running, from: queued))
      // The version is another one now.
      #expect(try !tasks.update(running, from: queued))
      running.version = 1
      #expect(try tasks.task(queued.id) == running)
      // What people say of it changes its version, too.
      var renamed = running
      (renamed.name, renamed.priority) = ("b", 750)
      #expect(try tasks.update(renamed, from: running))
      #expect(try !tasks.update(running, from: running))
      renamed.version = 2
      #expect(try tasks.task(queued.id) == renamed)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `queue keys are processed by rank`(_ implementation: Implementation) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      try tasks.insert(task("late", rank: 9))
      try tasks.insert(task("first", rank: -5))
      try tasks.insert(task("second", rank: 0))
      try tasks.insert(task("third", rank: 0))
      try tasks.insert(task("other", queueKey: "u", rank: 3))
      try tasks.insert(task("runs", state: .running))
      let first = try tasks.heads(of: "t", limit: 3)
      #expect(first.map(\.name) == ["first", "second", "third"])
      let place = QueuePosition(rank: first[1].rank, task: first[1].id)
      #expect(
        try tasks.places(in: "t", after: place, limit: 3).map { try tasks.task($0.task)?.name }
          == ["third", "late"])
      #expect(
        try tasks.tasks(TaskSelection(states: [.queued], before: first[2].id)).count
          == first[2].id - 1)
      #expect(
        try tasks.queues().sorted { $0.name < $1.name } == [
          QueueHead(name: "t", count: 4, head: -5), QueueHead(name: "u", count: 1, head: 3),
        ])
      #expect(try tasks.held(from: 0, limit: 9).map(\.name) == ["runs"])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `tasks that need attention come in order of time`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      #expect(try tasks.nextWake() == nil)
      try tasks.insert(task("b", state: .scheduled, wake: 20))
      try tasks.insert(task("a", state: .running, wake: 10))
      try tasks.insert(task("c"))
      #expect(try tasks.nextWake() == 10)
      #expect(try tasks.due(by: 20, limit: 9).map(\.name) == ["a", "b"])
      #expect(try tasks.due(by: 19, limit: 9).map(\.name) == ["a"])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `counts by type and state equal the rows, also after a failed write`(
    _ implementation: Implementation
  ) async throws {
    struct Refused: Error {}
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      try transaction.tasks.insert(task("a"))
      try transaction.tasks.insert(task("b", type: "u"))
      try transaction.tasks.insert(task("c", state: .succeeded, finished: 5))
    }
    await #expect(throws: Refused.self) {
      try await test.store.write { [self] transaction throws in
        try transaction.tasks.insert(task("lost"))
        throw Refused()
      }
    }
    try await test.store.write { transaction throws in
      guard let row = try transaction.tasks.task(1) else { return }
      var next = row
      next.state = .cancelled
      #expect(try transaction.tasks.update(next, from: row))
      try transaction.tasks.remove(2)
    }
    let counts = try await test.store.read { try $0.tasks.taskCounts() }
    #expect(
      counts == [
        TaskCount(type: "t", state: .cancelled, count: 1),
        TaskCount(type: "t", state: .succeeded, count: 1),
      ])
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `an id isn't reused, not even after the newest was removed`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      try transaction.tasks.insert(task("a"))
      try transaction.tasks.insert(task("b"))
    }
    try await test.store.write { transaction throws in
      #expect(try transaction.tasks.remove(2))
      #expect(try !transaction.tasks.remove(2))
    }
    test = try await test.reopened(implementation)
    let id = try await test.store.write { [self] in try $0.tasks.insert(task("c")) }
    #expect(id == 3)
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a batch counts its unfinished tasks`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      let id = try tasks.insert(TaskBatch(name: "n", created: 1, total: 0, pending: 0))
      let ids = [
        try tasks.insert(task("a", batch: id)), try tasks.insert(task("b", batch: id)),
      ]
      #expect(try tasks.batch(id)?.pending == 2)
      for (number, state) in zip(ids, [TaskRow.State.succeeded, .dead]) {
        guard let row = try tasks.task(number) else { continue }
        var ended = row
        ended.state = state
        ended.finished = 7
        ended.updated = 7
        #expect(try tasks.update(ended, from: row))
      }
      let batch = try tasks.batch(id)
      #expect(batch?.total == 2 && batch?.pending == 0)
      #expect(batch?.unsuccessful == 1 && batch?.finished == 7)
      // One is tried again.
      guard let row = try tasks.task(ids[1]) else { return }
      var again = row
      (again.state, again.finished) = (.queued, nil)
      #expect(try tasks.update(again, from: row))
      #expect(try tasks.batch(id)?.pending == 1)
      #expect(try tasks.batch(id)?.unsuccessful == 0)
      #expect(try tasks.batch(id)?.finished == nil)
      try tasks.remove(ids[0])
      try tasks.remove(ids[1])
      #expect(try tasks.batch(id) == nil)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `the newest lines of a task's log are kept`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      let tasks = transaction.tasks
      func lines(_ texts: String...) -> [TaskLogLine] {
        texts.map { TaskLogLine(task: 1, timestamp: 5, attempt: 1, stream: "stdout", text: $0) }
      }
      try tasks.append(lines("a", "b"), keep: 3)
      try tasks.append(lines("c", "d"), keep: 3)
      #expect(try tasks.logLines(of: 1, after: 0, limit: 9).map(\.text) == ["b", "c", "d"])
      #expect(try tasks.logLines(of: 1, after: 3, limit: 9).map(\.number) == [4])
      let file = TaskArtifact(task: 1, name: "a.png", mediaType: "image/png", size: 3, timestamp: 1)
      try tasks.put(file)
      try tasks.put(file)
      #expect(try tasks.artifacts(of: 1) == [file])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `counts of one type agree with the totals`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      for type in ["a", "b", "b"] { try transaction.tasks.insert(task("x", type: type)) }
    }
    try await test.store.write { transaction throws in
      #expect(
        try transaction.tasks.taskCounts(of: "b")
          == [TaskCount(type: "b", state: .queued, count: 2)])
      #expect(try transaction.tasks.taskCounts(of: "c") == [])
      let (one, two) = (
        TaskCount(type: "a", state: .queued, count: 1),
        TaskCount(type: "b", state: .queued, count: 2)
      )
      #expect(
        try transaction.tasks.taskCounts(after: "", types: 1)
          == TaskCountPage(counts: [one], after: "a"))
      #expect(
        try transaction.tasks.taskCounts(after: "a", types: 1)
          == TaskCountPage(counts: [two], after: nil))
      #expect(try transaction.tasks.taskCounts(after: "", types: 9).counts == [one, two])
      #expect(try transaction.tasks.taskTotals() == [.queued: 3])
      try transaction.tasks.remove(1)
    }
    try await test.store.read { snapshot throws in
      #expect(try snapshot.tasks.taskTotals() == [.queued: 2])
    }
    await test.store.close()
  }
}
