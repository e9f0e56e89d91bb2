import AgentJSON
import AgentScheduler
import AgentSchedules
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// Schedules from their creation to their tasks, on a real database.
@Suite struct SchedulerTests {
  private let minute: Int64 = 60_000

  @Test func `a schedule creates a task at each fire time`() async throws {
    let test = try await SchedulerUnderTest.started()
    test.base.executor.answerAlways(.succeeded(.null))
    let row = try await test.create("backup") {
      $0.task?.definition.input = ["n": 1]
      $0.task?.dueAfter = 5_000
    }
    #expect(row.next == test.clock.now + minute)
    test.clock.advance(minute - 1)
    #expect(try await test.fires("backup").isEmpty)
    test.clock.advance(1)
    let fires = try await test.decided(1, "backup")
    #expect(fires.map(\.time) == [row.created + minute])
    #expect(fires.first?.outcome == "started")
    let task = try await test.base.reached(try #require(fires.first?.task), .succeeded)
    #expect(task.name == "backup" && task.schedule == row.id)
    #expect(task.due == row.created + minute + 5_000)
    let report = TaskReport(task)
    #expect(report.json["input"] == ["n": 1])
    #expect(report.json["metadata"]?["schedule"] == "backup")
    #expect(report.history.first?["by"] == "schedule:backup")
    test.clock.advance(minute)
    #expect(try await test.decided(2, "backup").map(\.outcome) == ["started", "started"])
    try await wait(while: test.notices.all.count < 3)
    #expect(test.notices.all == ["created", "started", "started"])
    await test.remove()
  }

  @Test func `a schedule that would never fire or create no task is refused`() async throws {
    let test = try await SchedulerUnderTest.started()
    func refusal(
      _ timing: ScheduleDefinition.Timing, _ change: (inout ScheduleDefinition) -> Void = { _ in }
    ) async -> String {
      do {
        _ = try await test.create("s", timing, change: change)
        return ""
      } catch {
        return (error as? TaskError)?.code == .invalid ? "\(error)" : "\(error) (not invalid)"
      }
    }
    #expect(await refusal(.at("2001-01-01")).contains("never fire"))
    #expect(await refusal(.cron("0 24 * * *")).contains("column 3, hour"))
    #expect(await refusal(.every("0s")).contains("From 1s"))
    #expect(await refusal(.every("1m")) { $0.zone = "Europe/Berlim" }.contains("Europe/Berlin"))
    #expect(await refusal(.every("1m")) { $0.task = nil }.contains("needs a task"))
    #expect(await refusal(.every("1m")) { $0.task?.type = "pupet" }.contains("puppet"))
    for name in ["", "12", " a", "a\n"] {
      await #expect(throws: TaskError.self) { try await test.create(name) }
    }
    #expect(try await test.scheduler.schedules(ScheduleSelection()).rows.isEmpty)
    await test.remove()
  }

  @Test(arguments: [
    (MisfirePolicy.skip, "missed", [Int64(100)]), (.once, "started", [100]),
    (.all(upTo: 3), "started", [80, 90, 100]),
  ])
  func `fires missed while the agent was down follow the misfire policy`(
    _ policy: MisfirePolicy, _ outcome: String, _ minutes: [Int64]
  ) async throws {
    var test = try await SchedulerUnderTest.started()
    let row = try await test.create("s", .every("10m")) {
      ($0.misfire, $0.overlap) = (policy, .parallel)
    }
    await test.stop()
    test.clock.advance(105 * minute)
    test = try await SchedulerUnderTest.started(owner: "second", after: test)
    let settled = try await test.settled()
    #expect(settled.handled == row.created + 100 * minute)
    #expect(settled.next == row.created + 110 * minute)
    let fires = try await test.fires()
    #expect(fires.map(\.time) == minutes.map { row.created + $0 * minute })
    #expect(Set(fires.map(\.outcome)) == [outcome])
    await test.remove()
  }

  @Test func `an unfinished run makes the next one skip`() async throws {
    let test = try await SchedulerUnderTest.started()
    let row = try await test.create()
    test.clock.advance(minute)
    let first = try #require(try await test.decided(1).first?.task)
    test.clock.advance(minute)
    let fires = try await test.decided(2)
    #expect(fires.last?.outcome == "skipped" && fires.last?.task == nil)
    #expect(fires.last?.note?.contains("Task \(first)") == true)
    test.base.executor.end(first, .succeeded(.null))
    _ = try await test.base.reached(first, .succeeded)
    test.clock.advance(minute)
    #expect(try await test.decided(3).last?.outcome == "started")
    #expect(try await test.tasks(row.id).count == 2)
    await test.remove()
  }

  @Test func `queued runs start one after another, also across a restart`() async throws {
    var test = try await SchedulerUnderTest.started()
    let row = try await test.create { $0.overlap = .queue }
    for count in 1...3 {
      test.clock.advance(minute)
      _ = try await test.decided(count)
    }
    var tasks = try await test.tasks(row.id)
    _ = try await test.base.reached(tasks[0].id, .running)
    #expect(try await test.fires().map(\.outcome) == ["started", "waiting", "waiting"])
    #expect(try await test.tasks(row.id).map(\.state) == [.running, .waiting, .waiting])
    test.base.executor.end(tasks[0].id, .succeeded(.null))
    _ = try await test.base.reached(tasks[1].id, .running)
    #expect(try await test.base.engine.task(tasks[2].id).state == .waiting)
    await test.stop()
    test = try await SchedulerUnderTest.started(owner: "second", after: test)
    tasks = try await test.tasks(row.id)
    test.base.executor.end(tasks[1].id, .succeeded(.null))
    test.base.executor.end(tasks[2].id, .succeeded(.null))
    _ = try await test.base.reached(tasks[2].id, .succeeded)
    await test.remove()
  }

  @Test func `what a schedule has done is settled before its write ends`() async throws {
    let journal = SettlingJournal()
    let test = try await SchedulerUnderTest.started { WatchedStore($0, journal) }
    test.scheduler.record { notices, _ in if !notices.isEmpty { journal.stored() } }
    test.scheduler.observe { _ in journal.settle() }
    test.base.executor.answerAlways(.succeeded(.null))
    _ = try await test.create()
    _ = try await test.settled()
    test.clock.advance(minute)
    let first = try #require(try await test.decided(1).first?.task)
    _ = try await test.base.reached(first, .succeeded)
    _ = try await test.settled()
    _ = try await test.scheduler.trigger("s", by: nil)
    _ = try await test.scheduler.pause("s")
    _ = try await test.scheduler.delete("s")
    #expect(journal.settled == 5 && journal.late == 0)
    await test.remove()
  }

  @Test func `a waiting run is settled before the write that begins it ends`() async throws {
    let journal = SettlingJournal()
    let test = try await SchedulerUnderTest.started { WatchedStore($0, journal) }
    let row = try await test.create { $0.overlap = .queue }
    for count in 1...2 {
      test.clock.advance(minute)
      _ = try await test.decided(count)
    }
    let tasks = try await test.tasks(row.id)
    _ = try await test.base.reached(tasks[0].id, .running)
    test.base.engine.record { changes, _ in
      if changes.contains(where: { $0.former == .waiting }) { journal.stored() }
    }
    test.base.engine.observe { changes in
      if changes.contains(where: { $0.former == .waiting }) { journal.settle() }
    }
    test.base.executor.end(tasks[0].id, .succeeded(.null))
    _ = try await test.base.reached(tasks[1].id, .running)
    #expect(journal.settled == 1 && journal.late == 0)
    await test.remove()
  }

  @Test func `runs may overlap or replace one another`() async throws {
    let test = try await SchedulerUnderTest.started()
    let beside = try await test.create("p") { $0.overlap = .parallel }
    let instead = try await test.create("c") { $0.overlap = .cancelRunning }
    for count in 1...2 {
      test.clock.advance(minute)
      _ = try await test.decided(count, "p")
      _ = try await test.decided(count, "c")
    }
    for task in try await test.tasks(beside.id) {
      _ = try await test.base.reached(task.id, .running)
    }
    let tasks = try await test.tasks(instead.id)
    _ = try await test.base.reached(tasks[0].id, .cancelled)
    _ = try await test.base.reached(tasks[1].id, .running)
    await test.remove()
  }

  @Test func `an edit applies from now and repeats no run`() async throws {
    let test = try await SchedulerUnderTest.started()
    test.base.executor.answerAlways(.succeeded(.null))
    _ = try await test.create()
    test.clock.advance(minute)
    _ = try await test.decided(1)
    let edited = try await test.scheduler.edit("s", ["every": "2m", "name": "t"], by: nil)
    #expect(edited.name == "t" && edited.version == 2)
    #expect(edited.next == edited.created + 2 * minute)
    await #expect {
      _ = try await test.scheduler.edit("t", ["every": "1m"], version: 1, by: nil)
    } throws: { ($0 as? TaskError)?.code == .conflict }
    await #expect(throws: TaskError.self) {
      _ = try await test.scheduler.edit("t", ["cron": "x"], by: nil)
    }
    // The schedule has one timing.
    let cron = try await test.scheduler.edit(
      "t", ["cron": "0 0 * * *", "task": ["priority": "high"]], by: nil)
    let report = ScheduleReport(cron).json
    #expect(report["every"] == nil && report["words"] == "At 00:00 every day")
    #expect(report["task"]?["priority"] == 750 && report["task"]?["type"] == "puppet")
    #expect(try await test.scheduler.upcoming("t", 2).count == 2)
    #expect(try await test.scheduler.delete("t").id == edited.id)
    await #expect(throws: TaskError.self) { _ = try await test.scheduler.schedule("t") }
    #expect(test.scheduler.counts[.active] == 0)
    await test.remove()
  }

  @Test func `a paused schedule creates no tasks, nor afterwards for that time`() async throws {
    let test = try await SchedulerUnderTest.started()
    test.base.executor.answerAlways(.succeeded(.null))
    let row = try await test.create { $0.misfire = .all(upTo: 100) }
    _ = try await test.scheduler.pause("s")
    test.clock.advance(5 * minute)
    let resumed = try await test.scheduler.resume("s", by: nil)
    #expect(resumed.next == row.created + 6 * minute)
    test.clock.advance(minute)
    #expect(try await test.decided(1).map(\.time) == [row.created + 6 * minute])
    await test.remove()
  }

  @Test func `a manual run takes no fire time's place`() async throws {
    let test = try await SchedulerUnderTest.started()
    let row = try await test.create("s", .cron("* * * * * *"))
    let now = test.clock.now
    #expect(now % 1_000 == 0)
    let fire = try await test.scheduler.trigger("s", by: "alice")
    #expect(fire.outcome == "triggered" && fire.time == now + 1)
    #expect(fire.note == "triggered by alice")
    await #expect {
      _ = try await test.scheduler.trigger("s", by: "alice")
    } throws: { ($0 as? TaskError)?.code == .conflict && "\($0)".contains("overlap policy") }
    test.base.executor.end(try #require(fire.task), .succeeded(.null))
    _ = try await test.base.reached(try #require(fire.task), .succeeded)
    test.clock.advance(1_000)
    #expect(try await test.decided(2).last?.outcome == "started")
    #expect(try await test.tasks(row.id).count == 2)
    await test.remove()
  }

  @Test func `an existing task can be repeated by a schedule`() async throws {
    let test = try await SchedulerUnderTest.started()
    let task = try await test.base.create("clean") { $0.definition.input = ["disk": 1] }
    var names: [String] = []
    for _ in 0..<2 {
      let row = try await test.scheduler.create(
        like: task.id, ScheduleDefinition(.cron("0 2 * * *")), named: nil, by: nil)
      names.append(row.name)
      #expect(ScheduleReport(row).json["task"]?["input"] == ["disk": 1])
    }
    #expect(names == ["clean", "clean (2)"])
    await test.remove()
  }

  @Test func `the settings' schedules follow the settings and can't be deleted elsewhere`()
    async throws
  {
    let test = try await SchedulerUnderTest.started()
    func draft(_ name: String, _ every: String) -> ScheduleDraft {
      ScheduleDraft(
        name: name, ScheduleDefinition(.every(every), task: ScheduledTask(type: "puppet")))
    }
    func reached(_ condition: ([ScheduleRow]) -> Bool) async throws -> [ScheduleRow] {
      while true {
        let rows = try await test.scheduler.schedules(ScheduleSelection()).rows
        if condition(rows) { return rows }
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    _ = try await test.create("own")
    test.scheduler.apply([draft("a", "1m"), draft("b", "1m"), draft("own", "9m")])
    let rows = try await reached { $0.count == 3 }
    #expect(rows.map(\.source) == [nil, "settings", "settings"])
    await #expect(throws: TaskError.self) { _ = try await test.scheduler.delete("a") }
    test.scheduler.apply([draft("b", "2m"), draft("c", "1m")])
    let after = try await reached { $0.map(\.name) == ["own", "b", "c"] }
    #expect(after[1].id == rows[2].id)
    _ = try await reached { $0[1].next == $0[1].created + 2 * minute }
    await test.remove()
  }

  @Test func `a schedule that takes a task from a bot ends the bot's assignment`() async throws {
    let test = try await SchedulerUnderTest.started()
    let schedule = try await test.create {
      $0.overlap = .cancelRunning
      $0.task = ScheduledTask(type: "bots")
    }
    _ = try await test.scheduler.trigger(schedule.name, by: nil)
    let task = try #require(try await test.tasks(schedule.id).first)
    _ = try #require(try await test.base.assign(task, to: "b"))
    test.clock.advance(1)
    _ = try await test.scheduler.trigger(schedule.name, by: nil)
    #expect(try await test.base.engine.task(task.id).state == .cancelled)
    let open = try await test.base.store.read { try $0.assignments.openAssignments() }
    #expect(open.isEmpty)
    await test.remove()
  }
}
