import AgentJSON
import AgentScheduler
import AgentSchedules
import AgentStore
import AgentTasks
import AgentTasksTesting
import Testing

/// Clocks that are set, agents that are killed, stores that fail: a time has one run.
@Suite struct ScheduleClockTests {
  private let minute: Int64 = 60_000

  @Test func `a clock that is set back runs no fire time twice and skips none`() async throws {
    let test = try await SchedulerUnderTest.started()
    let row = try await test.create { ($0.overlap, $0.misfire) = (.parallel, .once) }
    for count in 1...3 {
      test.clock.advance(minute)
      _ = try await test.decided(count)
    }
    // Far ahead by mistake: one run makes up for all that seem to have passed.
    test.clock.step(600 * minute)
    test.clock.advance(minute)
    _ = try await test.decided(4)
    let ahead = try await test.fires()
    test.clock.step(-601 * minute - minute / 2)
    // It is noticed within a minute, and the times between come in their turn.
    test.clock.advance(minute / 2)
    while try await test.scheduler.schedule("s").handled > test.clock.now { test.clock.wake() }
    for _ in 0..<7 {
      test.clock.advance(minute / 2)
      _ = try await test.settled()
    }
    let fires = try await test.decided(ahead.count + 3)
    let times = fires.map { ($0.time - row.created) / minute }
    #expect(Array(times.prefix(6)) == [1, 2, 3, 4, 5, 6])
    #expect(Set(times).count == times.count)
    #expect(try await test.tasks(row.id).count == fires.count)
    await test.remove()
  }

  @Test func `a forgotten fire time gets no second run when the clock is set back`() async throws {
    let test = try await SchedulerUnderTest.started()
    test.base.executor.answerAlways(.succeeded(.null))
    let row = try await test.create("s", .cron("* * * * * *")) { $0.overlap = .parallel }
    let seconds = 1_020
    for _ in 0..<seconds / 30 {
      test.clock.advance(minute / 2)
      _ = try await test.settled()
    }
    #expect(try await test.tasks(row.id).count == seconds)
    test.clock.step(-Int64(seconds) * 1_000)
    // It is noticed within a minute.
    for _ in 0..<3 {
      test.clock.advance(minute / 2)
      test.clock.wake()
      _ = try await test.settled()
    }
    #expect(try await test.tasks(row.id).count == seconds)
    await test.remove()
  }

  @Test(arguments: [3_600_000, -3_600_000, -300, 28_800_000, 315_360_000_000] as [Int64])
  func `after the clock is set the next run comes within its interval, and no time has two`(
    _ jump: Int64
  ) async throws {
    let test = try await SchedulerUnderTest.started()
    test.base.executor.answerAlways(.succeeded(.null))
    let row = try await test.create { ($0.overlap, $0.misfire) = (.parallel, .once) }
    for count in 1...3 {
      test.clock.advance(minute)
      _ = try await test.decided(count)
    }
    test.clock.step(jump)
    for _ in 0..<6 {
      test.clock.advance(minute / 2)
      test.clock.wake()
      _ = try await test.settled()
    }
    let wake = try #require(try await test.settled().wake)
    // Before it was created, and while times come again that had their run, there is nothing to do.
    #expect(wake > test.clock.now && wake <= max(test.clock.now, row.created + 3 * minute) + minute)
    let fires = try await test.fires()
    let times = fires.map { ($0.time - row.created) / minute }
    #expect(Set(times).count == times.count, "\(times)")
    // One run stands for all times that seem to have passed; those that come again have had theirs.
    let made = jump >= minute ? 4 : jump > -minute ? 3 : 0
    #expect((3 + made - 1...3 + made + 1).contains(fires.count), "\(times)")
    #expect(try await test.tasks(row.id).count == fires.count)
    await test.remove()
  }

  @Test func `schedules wait, and a manual run is refused, until the task types are known`()
    async throws
  {
    let test = try await SchedulerUnderTest.started()
    test.base.engine.leave([], known: ["counting"])
    _ = try await test.create { $0.task = ScheduledTask(type: "counting") }
    test.base.engine.leave([], known: [])
    // The dispatcher reports the bots later.
    test.base.engine.awaitBots()
    await #expect {
      _ = try await test.scheduler.trigger("s", by: nil)
    } throws: { ($0 as? TaskError)?.code == .notReady }
    test.clock.advance(minute)
    for _ in 0..<200 { await Task.yield() }
    #expect(try await test.fires().isEmpty)
    test.base.engine.leave([], known: ["counting"])
    test.clock.advance(1_000)
    #expect(try await test.decided(1).map(\.outcome) == ["started"])
    await test.remove()
  }

  @Test(arguments: 0..<8)
  func `each fire time gets exactly one run, whatever fails or is killed`(_ seed: UInt64)
    async throws
  {
    var test: SchedulerUnderTest
    let first = try await SchedulerUnderTest.started()
    first.base.executor.answerAlways(.succeeded(.null))
    let row = try await first.create {
      ($0.overlap, $0.misfire) = (.parallel, .all(upTo: 1_000))
    }
    await first.stop()
    test = first
    for round: UInt64 in 0..<6 {
      test = try await SchedulerUnderTest.started(owner: "\(round)", after: test) {
        UncertainStore($0, seed: seed &* 1_000 &+ round)
      }
      test.base.executor.answerAlways(.succeeded(.null))
      for step in 0..<4 {
        test.clock.advance(minute / 2 + Int64(step))
        // Somewhere on its way, another place each time.
        for _ in 0..<(seed * 37 + round * 11 + UInt64(step) * 5) % 60 { await Task.yield() }
      }
      await test.stop()
    }
    test = try await SchedulerUnderTest.started(owner: "last", after: test)
    test.base.executor.answerAlways(.succeeded(.null))
    test.clock.advance(minute)
    _ = try await test.settled()
    let passed = (test.clock.now - row.created) / minute
    let fires = try await test.decided(Int(passed))
    #expect(fires.map(\.time) == (1...passed).map { row.created + $0 * minute })
    let tasks = try await test.tasks(row.id)
    #expect(tasks.count == fires.count)
    #expect(tasks.map(\.id) == fires.compactMap(\.task))
    for task in tasks { _ = try await test.base.reached(task.id, .succeeded) }
    await test.remove()
  }
}
