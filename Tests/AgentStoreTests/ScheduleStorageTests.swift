import AgentStore
import Testing

/// Schedules, and what became of their times.
@Suite struct ScheduleStorageTests {
  private func schedule(_ name: String, wake: Int64? = nil, handled: Int64 = 5) -> ScheduleRow {
    ScheduleRow(
      name: name, definition: Array("{}".utf8), handled: handled, wake: wake, created: 1, updated: 2
    )
  }

  private func fire(_ schedule: Int64, _ time: Int64, task: Int64? = nil) -> ScheduleFire {
    ScheduleFire(schedule: schedule, time: time, decided: 9, outcome: "started", task: task)
  }

  @Test(arguments: Implementation.allCases)
  func `a schedule is stored completely, and its name is unique`(
    _ implementation: Implementation
  ) async throws {
    var test = try await StoreUnderTest(implementation)
    let row = try await test.store.write { [self] transaction throws in
      let schedules = transaction.schedules
      var row = schedule("a", wake: 8)
      row.state = .paused
      row.source = "settings"
      row.next = 7
      row.version = 3
      row.id = try schedules.insert(row)
      var other = schedule("b")
      other.id = try schedules.insert(other)
      var renamed = other
      renamed.name = "a"
      for write in [
        { _ = try schedules.insert(self.schedule("a")) },
        { _ = try schedules.update(renamed, from: other) },
      ] {
        #expect { try write() } throws: { ($0 as? StoreError)?.code == .conflict }
      }
      return row
    }
    test = try await test.reopened(implementation)
    try await test.store.read { snapshot throws in
      #expect(try snapshot.schedules.schedule(row.id) == row)
      #expect(try snapshot.schedules.schedule(named: "a") == row)
      #expect(try snapshot.schedules.schedule(named: "c") == nil)
      #expect(try snapshot.schedules.scheduleCount(.paused) == 1)
      func names(_ selection: ScheduleSelection) throws -> [String] {
        try snapshot.schedules.schedules(selection).map(\.name)
      }
      #expect(try names(ScheduleSelection()) == ["a", "b"])
      #expect(try names(ScheduleSelection(after: 1)) == ["b"])
      #expect(try names(ScheduleSelection(limit: 1)) == ["a"])
      #expect(try names(ScheduleSelection(state: .active)) == ["b"])
      #expect(try names(ScheduleSelection(source: "settings")) == ["a"])
      #expect(try names(ScheduleSelection(text: "B")) == ["b"])
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a change applies only to the version of the schedule that it was made for`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let schedules = transaction.schedules
      var row = schedule("a")
      row.id = try schedules.insert(row)
      var fired = row
      fired.handled = 50
      fired.next = 60
      fired.wake = 61
      #expect(try schedules.update(fired, from: row))
      // Another time was decided meanwhile, or somebody has changed it.
      #expect(try !schedules.update(fired, from: row))
      var edited = fired
      edited.version += 1
      #expect(try schedules.update(edited, from: fired))
      #expect(try !schedules.update(edited, from: fired))
      #expect(try schedules.schedule(row.id) == edited)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `due schedules come in order of time`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let schedules = transaction.schedules
      #expect(try schedules.nextScheduleWake() == nil)
      try schedules.insert(schedule("b", wake: 20, handled: 7))
      try schedules.insert(schedule("a", wake: 10))
      try schedules.insert(schedule("never"))
      #expect(try schedules.nextScheduleWake() == 10)
      #expect(try schedules.schedulesDue(by: 20, limit: 9).map(\.name) == ["a", "b"])
      #expect(try schedules.schedulesDue(by: 20, limit: 1).map(\.name) == ["a"])
      #expect(try schedules.schedulesDue(by: 9, limit: 9).isEmpty)
      let ahead = try schedules.schedules(handledAfter: 6, from: 0, limit: 9)
      #expect(ahead.map(\.name) == ["b"])
      #expect(try schedules.schedules(handledAfter: 6, from: 2, limit: 9).isEmpty)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a fire time is decided once, and the latest are remembered`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let schedules = transaction.schedules
      let id = try schedules.insert(schedule("a"))
      for time: Int64 in 1...5 { #expect(try schedules.insert(fire(id, time, task: time))) }
      #expect(try !schedules.insert(fire(id, 3, task: 99)))
      #expect(try schedules.insert(fire(id + 1, 3)))
      #expect(try schedules.fire(of: id, at: 3)?.task == 3)
      #expect(try schedules.fires(of: id, before: nil, limit: 2).map(\.time) == [5, 4])
      #expect(try schedules.fires(of: id, before: 3, limit: 9).map(\.time) == [2, 1])
      try schedules.keepFires(of: id, latest: 2)
      #expect(try schedules.fires(of: id, before: nil, limit: 9).map(\.time) == [5, 4])
      #expect(try schedules.fire(of: id + 1, at: 3) != nil)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a removed schedule's fire times are forgotten, and its id isn't reused`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { [self] transaction throws in
      let schedules = transaction.schedules
      let id = try schedules.insert(schedule("a"))
      _ = try schedules.insert(fire(id, 3))
      #expect(try schedules.removeSchedule(id))
      #expect(try !schedules.removeSchedule(id))
      #expect(try schedules.fires(of: id, before: nil, limit: 9).isEmpty)
      #expect(try schedules.insert(schedule("b")) == id + 1)
    }
    await test.store.close()
  }

  @Test(arguments: Implementation.allCases)
  func `a schedule's unfinished runs are found`(
    _ implementation: Implementation
  ) async throws {
    let test = try await StoreUnderTest(implementation)
    try await test.store.write { transaction throws in
      func task(_ state: TaskRow.State, schedule: Int64?) throws {
        try transaction.tasks.insert(
          TaskRow(
            name: "\(state)", type: "t", state: state, priority: 1, queueKey: "t", created: 1,
            updated: 1, finished: state == .succeeded ? 2 : nil, schedule: schedule,
            definition: Array("{}".utf8)))
      }
      try task(.running, schedule: 1)
      try task(.waiting, schedule: 1)
      try task(.succeeded, schedule: 1)
      try task(.waiting, schedule: nil)
      try task(.queued, schedule: 2)
      #expect(try transaction.schedules.openTasks(of: 1).map(\.state) == [.running, .waiting])
      #expect(try transaction.schedules.schedulesWithWaitingTasks() == [1])
    }
    await test.store.close()
  }
}
