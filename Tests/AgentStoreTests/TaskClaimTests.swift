import AgentStore
import TestSupport
import Testing

/// The host's attempts, which are stored as claims: every reader sees the tasks as if their rows
/// had been changed.
@Suite struct TaskClaimTests {
  @Test(arguments: Implementation.allCases, [1, 2, 3, 4] as [UInt64])
  func `every reader sees a claimed task as one whose row was changed`(
    _ implementation: Implementation, _ seed: UInt64
  ) async throws {
    let claims = try await StoreUnderTest(implementation)
    let rows = try await StoreUnderTest(implementation)
    var steps = ClaimSteps(seed: seed)
    for number in 1...120 {
      let step = steps.next()
      try await claims.store.write { try step.run($0.tasks, asSet: true) }
      try await rows.store.write { try step.run($0.tasks, asSet: false) }
      // Readers have connections of their own.
      let seen = try await claims.store.read { try TaskSight($0.tasks) }
      let expected = try await rows.store.read { try TaskSight($0.tasks) }
      for (one, other) in zip(seen.lines, expected.lines) {
        #expect(one == other, "seed \(seed), step \(number): \(step)")
      }
    }
    await claims.store.close()
    await rows.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a task begins and ends only in the version that was read`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      let tasks = transaction.tasks
      var queued = ClaimSteps.queued("a", 1)
      queued.id = try tasks.insert(queued)
      let begin = TaskStep(from: queued, to: queued.begun(at: 5))
      let end = TaskStep(from: begin.task, to: begin.task.ended(at: 9))
      #expect(try tasks.end([end]) == [false])
      #expect(try tasks.begin([begin, begin]) == [true, false])
      #expect(try tasks.task(queued.id) == begin.task)
      // A client that has read it before the beginning is late.
      #expect(try !tasks.update(queued.cancelled(at: 6), from: queued))
      #expect(try tasks.task(queued.id) == begin.task)
      #expect(try tasks.end([end, end]) == [true, false])
      #expect(try tasks.task(queued.id) == end.task)
      #expect(try tasks.begin([begin]) == [false])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `an attempt that was lost ends nothing of the next one`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      let tasks = transaction.tasks
      var queued = ClaimSteps.queued("a", 1)
      queued.id = try tasks.insert(queued)
      let first = queued.begun(at: 5)
      let again = first.requeued(at: 6)
      let second = again.begun(at: 7)
      #expect(try tasks.begin([TaskStep(from: queued, to: first)]) == [true])
      #expect(try tasks.update(again, from: first))
      #expect(try tasks.begin([TaskStep(from: again, to: second)]) == [true])
      #expect(try tasks.end([TaskStep(from: first, to: first.ended(at: 8))]) == [false])
      #expect(try !tasks.update(first.requeued(at: 8), from: first))
      #expect(try tasks.task(queued.id) == second)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a claim is durable, and undone with its transaction`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    let (kept, undone) = try await test.store.write { transaction throws in
      var rows = [ClaimSteps.queued("a", 1), ClaimSteps.queued("b", 1)]
      for index in rows.indices { rows[index].id = try transaction.tasks.insert(rows[index]) }
      return (rows[0], rows[1])
    }
    struct Undone: Error {}
    _ = try await test.store.write { transaction throws in
      try transaction.tasks.begin([TaskStep(from: kept, to: kept.begun(at: 5))])
    }
    await #expect(throws: Undone.self) {
      try await test.store.write { transaction throws in
        _ = try transaction.tasks.begin([TaskStep(from: undone, to: undone.begun(at: 5))])
        throw Undone()
      }
    }
    test = try await test.reopened(implementation)
    try await test.store.read { snapshot throws in
      #expect(try snapshot.tasks.task(kept.id) == kept.begun(at: 5))
      #expect(try snapshot.tasks.task(undone.id) == undone)
      #expect(try snapshot.tasks.leases(from: 0, limit: 9).map(\.task) == [kept.id])
      #expect(try snapshot.tasks.taskTotals()[.running] == 1)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `an attempt that begins or ends with another change stores that change too`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    // An issue of the writer's thread wouldn't count for this test.
    let wrong = try await test.store.write { transaction throws in
      let tasks = transaction.tasks
      return try Self.changes.enumerated().filter { _, change in
        var (first, second) = (ClaimSteps.queued("a", 1), ClaimSteps.queued("b", 1))
        first.id = try tasks.insert(first)
        second.id = try tasks.insert(second)
        let plain = second.begun(at: 5)
        var (begun, ended) = (first.begun(at: 5), plain.ended(at: 9))
        change(&begun)
        change(&ended)
        let stored = [
          try tasks.begin([TaskStep(from: first, to: begun), TaskStep(from: second, to: plain)]),
          try tasks.end([TaskStep(from: plain, to: ended)]),
        ]
        return try stored != [[true, true], [true]] || tasks.task(first.id) != begun
          || tasks.task(second.id) != ended
      }.map(\.offset)
    }
    #expect(wrong == [])
    await test.store.close()
  }

  /// A change of each column that an update of a task writes.
  private static let changes: [@Sendable (inout TaskRow) -> Void] = [
    { $0.name = "other" }, { $0.priority = 77 }, { $0.queueKey = "other" }, { $0.rank = 77 },
    { $0.asked = 77 }, { $0.cancelling = 77 }, { $0.runAt = 77 }, { $0.due = 77 },
    { $0.wake = 77 }, { $0.failures = 77 }, { $0.bot = "other" }, { $0.finished = 77 },
    { $0.uniqueKey = "other \($0.id)" }, { $0.definition = [0x7B, 0x20, 0x7D] },
    { $0.progress = [0x7B] },
    { $0.result = [0x7B] }, { $0.history += [0x7B] }, { $0.lost = 77 }, { $0.hostEnds = 77 },
    { $0.escalateAt = 77 },
  ]
}

/// What every call of a reader returns, as text.
private struct TaskSight: Sendable {
  let lines: [String]

  init(_ tasks: any TaskReader) throws {
    let all = try tasks.tasks(TaskSelection(limit: .max))
    var lines: [Any] = [all, try tasks.tasks(all.map(\.id))]
    lines.append(try all.map { try tasks.task($0.id) })
    lines.append(try tasks.taskCounts().map { "\($0)" }.sorted())
    lines.append(try tasks.taskTotals().filter { $0.value != 0 }.map { "\($0)" }.sorted())
    lines.append(try tasks.queues().map { "\($0)" }.sorted())
    for queue in ["p", "q"] {
      let places = try tasks.places(in: queue, limit: 99)
      lines.append(places)
      lines.append(try tasks.heads(of: queue, limit: 3))
      guard let first = places.first else { continue }
      lines.append(try tasks.places(in: queue, after: first, limit: 2))
    }
    for id: Int64 in [0, 7] {
      lines.append(try tasks.leases(from: id, limit: 4))
      lines.append(try tasks.held(from: id, limit: 4))
      lines.append(try tasks.suspects(from: id, limit: 4))
    }
    lines.append(try tasks.due(by: 1_000, limit: 9))
    lines.append(try [tasks.nextWake(), tasks.nextEscalation()])
    for selection in Self.selections {
      lines.append(try tasks.tasks(selection))
      var page = selection
      (page.limit, page.offset, page.look, page.maxSorted) = (3, 1, 500, 500)
      lines.append(try tasks.page(page).rows)
    }
    self.lines = lines.map { "\($0)" }
  }

  private static var selections: [TaskSelection] {
    let states: [Set<TaskRow.State>?] = [
      nil, [.queued], [.running], [.queued, .running], [.running, .succeeded],
      [.assigned, .running, .waiting],
    ]
    return states.flatMap { states in
      TaskSelection.Order.allCases.flatMap { order in
        [true, false].flatMap { isDescending in
          [nil, "t", "u"].map { type in
            TaskSelection(
              states: states, type: type, order: order, isDescending: isDescending, limit: .max)
          }
        }
      }
    }
  }
}
