import AgentStore
import Testing

/// Bots, and what they were given.
@Suite struct BotStorageTests {
  private static func assignment(
    _ task: Int64, _ attempt: Int64 = 1, bot: String = "b1", created: Int64 = 10
  ) -> AssignmentRow {
    AssignmentRow(
      task: task, attempt: attempt, bot: bot, strategy: "best_fit", capability: "c",
      decision: Array("{}".utf8), waited: 5, created: created)
  }

  @Test(arguments: Implementation.allCases)
  func `a bot is stored completely until it is removed`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    var bot = BotRow(
      id: "b1", definition: Array("{1}".utf8), lifecycle: "online", registered: 1, updated: 1,
      heartbeat: 1)
    let first = bot
    try await test.store.write { transaction throws in
      try transaction.bots.put(first)
      #expect(try transaction.bots.strategy() == nil)
      try transaction.bots.choose(strategy: "round_robin")
    }
    bot.definition = Array("{2}".utf8)
    bot.lifecycle = "lost:busy"
    bot.owner = "person:ada"
    bot.authority = "{}"
    bot.updated = 2
    bot.heartbeat = 3
    bot.beats = true
    let changed = bot
    try await test.store.write { transaction throws in
      try transaction.bots.put(changed)
      try transaction.bots.choose(strategy: "load_balanced")
    }
    test = try await test.reopened(implementation)
    try await test.store.write { transaction throws in
      #expect(try transaction.bots.bots() == [changed])
      #expect(try transaction.bots.bot("b1") == changed)
      #expect(try transaction.bots.bot("b2") == nil)
      #expect(try transaction.bots.strategy() == "load_balanced")
      #expect(try transaction.bots.remove("b1"))
      #expect(try !transaction.bots.remove("b1"))
      #expect(try transaction.bots.bots().isEmpty)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a page of assignments ends by bytes, and reads no texts that nobody asked for`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      let assignments = transaction.assignments
      for task in 1...4 as ClosedRange<Int64> {
        var row = Self.assignment(task, bot: task == 2 ? "b2" : "b1")
        row.result = Array(repeating: 1, count: 100)
        try assignments.insert(row)
      }
      var selection = AssignmentSelection()
      selection.maxBytes = 150
      #expect(try assignments.assignments(selection).map(\.id) == [4, 3])
      selection.before = 3
      #expect(try assignments.assignments(selection).map(\.id) == [2, 1])
      selection.omitsTexts = true
      let light = try assignments.assignments(selection)
      #expect(light.allSatisfy { $0.bytes == 0 } && light.map(\.bot) == ["b2", "b1"])
      #expect(try assignments.offers(to: "b1", after: 0, limit: 2) == [1, 3])
      #expect(try assignments.offers(to: "b1", after: 3, limit: 2) == [4])
      if var row = try assignments.assignment(4) {
        row.state = .accepted
        try assignments.update(row)
      }
      #expect(try assignments.offers(to: "b1", after: 3, limit: 2) == [])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a lease is given once, and an assignment is stored completely`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      let assignments = transaction.assignments
      var row = Self.assignment(7)
      row.id = try assignments.insert(row)
      #expect(row.id == 1)
      #expect { try assignments.insert(Self.assignment(7, bot: "b2")) } throws: {
        ($0 as? StoreError)?.code == .conflict
      }
      #expect(try assignments.insert(Self.assignment(7, 2, bot: "b2")) == 2)
      row.state = .completed
      row.accepted = 20
      row.ended = 50
      (row.result, row.note) = (Array("1".utf8), "n")
      try assignments.update(row)
      #expect(try assignments.assignment(1) == row)
      #expect(try assignments.assignment(task: 7, attempt: 1) == row)
      #expect(try assignments.assignment(task: 7, attempt: 3) == nil)
      #expect(try assignments.openAssignments().map(\.id) == [2])
      row.id = 99
      let missing = row
      #expect { try assignments.update(missing) } throws: {
        ($0 as? StoreError)?.code == .missing
      }
      #expect(
        try assignments.statistics(bot: "b1")
          == [AssignmentStatistics(state: .completed, count: 1, duration: 30)])
      #expect(try assignments.statistics(bot: nil).count == 2)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `assignments are selected by state, bot and task, newest first`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      for task in 1...6 as ClosedRange<Int64> {
        var row = Self.assignment(task, bot: task % 2 == 0 ? "even" : "odd")
        row.id = try transaction.assignments.insert(row)
        if task > 4 {
          (row.state, row.ended) = (.rejected, 60)
          try transaction.assignments.update(row)
        }
      }
    }
    func ids(_ selection: AssignmentSelection) async throws -> [Int64] {
      try await test.store.read { try $0.assignments.assignments(selection).map(\.id) }
    }
    #expect(try await ids(AssignmentSelection()) == [6, 5, 4, 3, 2, 1])
    #expect(try await ids(AssignmentSelection(before: 4, limit: 2)) == [3, 2])
    #expect(try await ids(AssignmentSelection(bot: "even")) == [6, 4, 2])
    #expect(try await ids(AssignmentSelection(states: [.pending], bot: "even")) == [4, 2])
    #expect(try await ids(AssignmentSelection(states: [.rejected])) == [6, 5])
    #expect(
      try await ids(AssignmentSelection(states: [.pending, .rejected], bot: "odd")) == [5, 3, 1])
    #expect(try await ids(AssignmentSelection(task: 3)) == [3])
    #expect(try await ids(AssignmentSelection(states: [.rejected], task: 3)) == [])
    func before(_ selection: AssignmentSelection, look: Int) async throws -> Int64? {
      var bounded = selection
      bounded.look = look
      return try await test.store.read { [bounded] in
        try $0.assignments.page(bounded).before
      }
    }
    let none = AssignmentSelection(states: [.failed])
    #expect(try await before(none, look: 4) == 3)
    #expect(try await before(none, look: 7) == nil)
    #expect(try await before(AssignmentSelection(states: [.failed], bot: "odd"), look: 2) == 3)
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `old ended assignments are removed, and the newest id isn't reused`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      let assignments = transaction.assignments
      for task in 1...3 as ClosedRange<Int64> {
        var row = Self.assignment(task)
        row.id = try assignments.insert(row)
        (row.state, row.ended) = (.completed, task * 10)
        try assignments.update(row)
      }
      try assignments.put(EscalationRow(task: 1, step: 0, count: 1, last: 5))
      try assignments.put(EscalationRow(task: 1, step: 0, count: 2, last: 6))
      #expect(
        try assignments.escalations(of: 1) == [EscalationRow(task: 1, step: 0, count: 2, last: 6)])
      try assignments.put(EscalationRow(task: 2, step: -1, count: 1, last: 99))
      #expect(
        try assignments.escalations(step: -1) == [
          EscalationRow(task: 2, step: -1, count: 1, last: 99)
        ])
      #expect(try assignments.removeAssignments(endedBefore: 20, limit: 10) == 2)
      #expect(try assignments.escalations(of: 1).isEmpty)
      #expect(try assignments.removeAssignments(endedBefore: 100, limit: 10) == 2)
      #expect(try assignments.assignments(AssignmentSelection()).map(\.id) == [3])
      #expect(try assignments.insert(Self.assignment(9)) == 4)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `old escalations are removed a few at a time`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      let assignments = transaction.assignments
      for task in 1...5 as ClosedRange<Int64> {
        try assignments.put(EscalationRow(task: task, step: 0, count: 1, last: task))
      }
      for (removed, rest) in [(2, [3, 4, 5]), (2, [5]), (1, []), (0, [])] as [(Int, [Int64])] {
        #expect(try assignments.removeAssignments(endedBefore: 9, limit: 2) == removed)
        #expect(try assignments.escalations(step: 0).map(\.task) == rest)
      }
    }
    await test.store.close()
  }
}
