internal import AgentJSON
internal import AgentScheduler
internal import AgentSchedules
internal import AgentStore
internal import AgentTasks
internal import BenchSupport
internal import Glibc

/// The cost of a scheduler with many schedules while none of them is due.
enum Schedules {
  /// Stores `count` schedules. None of them is due within a day.
  static func fill(_ file: String, _ count: Int) async throws {
    try await withScheduler(file) { dispatcher, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for part in 0..<256 {
          group.addTask {
            for number in stride(from: part, to: count, by: 256) {
              var definition = ScheduleDefinition(
                .every("7d"), task: ScheduledTask(type: "nothing"))
              definition.description = "number \(number)"
              _ = try await dispatcher.create(
                ScheduleDraft(name: "s\(number)", definition), by: .unrestricted(as: nil))
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  private static let settling = RunLength.choose(full: Duration.seconds(1), short: .seconds(0.1))
  private static let idling = RunLength.choose(full: Duration.seconds(10), short: .seconds(0.2))

  /// The memory of a scheduler with what is stored, and what it does while nothing is due.
  static func hold(_ file: String) async throws {
    try await withScheduler(file) { dispatcher, store in
      try await Task.sleep(for: settling)
      let (commits, time) = (store.statistics.commits, BenchClock.process.now)
      try await Task.sleep(for: idling)
      print("held \(dispatcher.counts.values.reduce(0, +))")
      let resident = try ResidentMemory.bytes()
      print("resident_kb \(resident / 1_024)")
      print("idle_cpu_us \((BenchClock.process.now - time) / 1_000)")
      print("idle_commits \(store.statistics.commits - commits)")
    }
  }

  private struct Nothing: TaskExecutor {
    func run(_ work: TaskWork) async throws -> TaskOutcome { .succeeded(.null) }
  }

  private static func withScheduler(
    _ file: String, _ body: (Scheduler, SQLiteStore) async throws -> Void
  ) async throws {
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: file))
    let now: @Sendable () -> Int64 = {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
    let engine = TaskEngine(owner: "bench", now: now) { print($1) }
    var plan = TaskPlan()
    plan.types["nothing"] = TaskType(
      name: "nothing", description: "", source: "bench", executor: Nothing())
    engine.apply(plan)
    let zones = TimeZoneDatabase()
    let dispatcher = Scheduler(
      engine: engine, zone: { name throws(TimeZoneError) in try zones.zone(named: name) },
      now: now, log: { print($1) })
    let run = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await engine.run(store) }
        group.addTask { try await dispatcher.run(store) }
        try await group.waitForAll()
      }
    }
    while (try? await dispatcher.schedules(ScheduleSelection())) == nil { await Task.yield() }
    try await body(dispatcher, store)
    run.cancel()
    _ = try? await run.value
    await store.close()
  }
}
