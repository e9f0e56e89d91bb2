import AgentStore
import Testing

/// Lists of tasks: which are chosen, in which order, and how many are looked at.
@Suite struct TaskListTests {
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
  func `tasks are selected, sorted and paged`(_ implementation: Implementation) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      var rows = [
        task("Beta", definition: #"{"tags":["x"],"description":"Disk"}"#), task("alpha", type: "u"),
        task("gamma", state: .failed, finished: 4), task("delta", state: .succeeded, finished: 2),
      ]
      rows[0].due = 9
      rows[1].due = 3
      rows[1].priority = 900
      for row in rows { try tasks.insert(row) }
      func names(_ selection: TaskSelection) throws -> [String] {
        try tasks.tasks(selection).map(\.name)
      }
      #expect(try names(TaskSelection()) == ["delta", "gamma", "alpha", "Beta"])
      #expect(try names(TaskSelection(offset: 1, limit: 2)) == ["gamma", "alpha"])
      #expect(try names(TaskSelection(states: [.queued])) == ["alpha", "Beta"])
      #expect(try names(TaskSelection(states: [.failed, .dead])) == ["gamma"])
      #expect(try names(TaskSelection(states: [.failed, .queued])) == ["gamma", "alpha", "Beta"])
      #expect(try names(TaskSelection(type: "u")) == ["alpha"])
      #expect(try names(TaskSelection(tag: "x")) == ["Beta"])
      #expect(try names(TaskSelection(text: "DISK")) == ["Beta"])
      #expect(
        try names(TaskSelection(order: .due, isDescending: false, limit: 2)) == ["alpha", "Beta"])
      #expect(try names(TaskSelection(order: .priority, limit: 1)) == ["alpha"])
      #expect(
        try names(TaskSelection(order: .name, isDescending: false)) == [
          "Beta", "alpha", "delta", "gamma",
        ])
      #expect(
        try tasks.removeTasks(finishedBefore: 3, after: 0, limit: 9, now: 9)
          == TaskRemoval(removed: [4], last: 4))
      #expect(try names(TaskSelection(states: [.succeeded])) == [])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a page reads a bounded number of tasks and says where the next continues`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      for number in 1...40 {
        let rare = number % 20 == 1 ? #"{"tags":["rare"]}"# : "{}"
        let state: TaskRow.State = [.queued, .succeeded, .waiting, .cancelled][number % 4]
        let finished: Int64? = number % 2 == 1 ? 1 : nil
        try tasks.insert(
          task("\(number)", state: state, finished: finished, definition: rare))
      }
      func pages(_ selection: TaskSelection) throws -> [[Int64]] {
        var (selection, pages) = (selection, [[Int64]]())
        while true {
          let page = try tasks.page(selection)
          pages.append(page.rows.map(\.id))
          (selection.before, selection.offset) = (page.before, page.offset)
          if page.before == nil { return pages }
        }
      }
      var rare = TaskSelection(tag: "rare", limit: 5)
      rare.look = 15
      #expect(try pages(rare) == [[], [21], [1]])
      rare.offset = 1
      #expect(try pages(rare) == [[], [], [1]])
      // With several states, the newest come first, however far each was looked at.
      for (states, look) in [
        ([TaskRow.State.queued, .succeeded], 3), ([.cancelled, .waiting], 4),
      ] {
        var both = TaskSelection(states: Set(states), limit: 4)
        both.look = look
        let found = try pages(both).flatMap(\.self)
        #expect(found == found.sorted(by: >))
        #expect(found.count == 20)
        both.offset = 7
        #expect(try pages(both).flatMap(\.self) == Array(found.dropFirst(7)))
      }
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a page has a bound of bytes, and the next one goes on behind it`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      let long = #"{"description":"\#(String(repeating: "x", count: 1000))"}"#
      for number in 1...7 {
        let state: TaskRow.State = number.isMultiple(of: 2) ? .waiting : .queued
        try tasks.insert(task("\(number)", state: state, definition: long))
      }
      for (order, isDescending, states) in [
        (TaskSelection.Order.created, true, nil), (.created, true, [.queued, .waiting]),
        (.created, false, nil), (.name, false, nil),
      ] as [(TaskSelection.Order, Bool, Set<TaskRow.State>?)] {
        var selection = TaskSelection(
          states: states, order: order, isDescending: isDescending, limit: 5)
        selection.maxBytes = 2500
        var found: [Int64] = []
        while true {
          let page = try tasks.page(selection)
          #expect(page.rows.count <= 3)
          found += page.rows.map(\.id)
          if let before = page.before {
            (selection.before, selection.offset) = (before, page.offset)
          } else if page.isCut {
            selection.offset += page.rows.count
          } else {
            break
          }
        }
        let numbers = (1...7).map { Int64($0) }
        #expect(found == (isDescending ? numbers.reversed() : numbers))
      }
      var least = TaskSelection()
      least.maxBytes = 0
      #expect(try tasks.page(least).rows.map(\.id) == [7])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a list in another order looks at a bounded number of tasks`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let tasks = transaction.tasks
      for number in 1...40 {
        let definition = number % 20 == 1 ? #"{"tags":["rare"]}"# : "{}"
        let state: TaskRow.State = [.queued, .succeeded, .waiting, .cancelled][number % 4]
        let finished: Int64? = number % 2 == 1 ? 1 : nil
        try tasks.insert(
          task(
            "\(number)", type: number == 7 ? "u" : "t", state: state, finished: finished,
            definition: definition))
      }
      func page(_ selection: TaskSelection, _ most: Int) throws -> [Int64] {
        var selection = selection
        selection.maxSorted = most
        return try tasks.page(selection).rows.map(\.id)
      }
      func isRefused(_ selection: TaskSelection, _ most: Int) -> Bool {
        do {
          _ = try page(selection, most)
          return false
        } catch {
          return (error as? StoreError)?.code == .invalid
        }
      }
      let sorted = TaskSelection(order: .priority, limit: 3)
      #expect(try page(sorted, 40) == [40, 39, 38])
      #expect(isRefused(sorted, 39))
      // What an index narrows down counts, and nothing else.
      let queued = TaskSelection(states: [.queued], order: .updated, isDescending: false, limit: 2)
      #expect(try page(queued, 10) == [4, 8])
      #expect(isRefused(queued, 9))
      let both = TaskSelection(states: [.queued, .succeeded], order: .priority, limit: 3)
      #expect(try page(both, 20) == [40, 37, 36])
      #expect(try page(TaskSelection(type: "u", order: .name), 1) == [7])
      #expect(isRefused(TaskSelection(tag: "rare", order: .name), 39))
      // The oldest are found without a look at the others.
      #expect(try page(TaskSelection(isDescending: false, limit: 3), 3) == [1, 2, 3])
      #expect(
        try page(TaskSelection(states: [.cancelled], isDescending: false, limit: 2), 2) == [3, 7])
      #expect(
        try page(TaskSelection(states: both.states, isDescending: false, limit: 3), 5) == [1, 4, 5])
      #expect(try page(TaskSelection(before: 4, isDescending: false, offset: 1), 3) == [2, 3])
      let rare = TaskSelection(tag: "rare", isDescending: false, limit: 2)
      #expect(try page(rare, 21) == [1, 21])
      #expect(isRefused(rare, 20))
    }
    await test.store.close()
  }
}
