internal import AgentAssignment
internal import AgentBots
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import BenchSupport

/// Tasks that are given to outside bots: each decision is stored with the task, and durable.
enum Assignments {
  private static let bots = 100
  private static let outstanding = 256

  static func measure(_ file: String, _ count: Int, finished: Int) async throws {
    let store = try await OwnEngine.open(file, finished: finished)
    let now: @Sendable () -> Int64 = { BenchClock.elapsed.now / 1_000_000 }
    let engine = TaskEngine(owner: "bench", now: now) { print($1) }
    var plan = TaskPlan()
    plan.keep = .max / 2
    plan.types["work"] = TaskType(name: "work", description: "", source: "bench", executor: nil)
    engine.apply(plan)
    let dispatcher = TaskDispatcher(tasks: engine, now: now, log: { print($1) }, publish: { _ in })
    let run = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await engine.run(store) }
        group.addTask { try await dispatcher.run(store) }
        try await group.waitForAll()
      }
    }
    while (try? await dispatcher.systemStats()) == nil { await Task.yield() }
    for number in 0..<bots {
      let capability = BotCapability(name: "work", taskTypes: ["work"], priorityBoost: number % 7)
      let bot = BotDefinition(
        name: "bot \(number)", type: .worker, capabilities: [capability],
        maxConcurrentTasks: 2 * count)
      _ = try await dispatcher.register(bot, id: "b\(number)", by: .unrestricted(as: nil))
      _ = try await dispatcher.say("b\(number)", .draining, by: .unrestricted(as: nil))
    }
    try await waiting(engine, dispatcher: dispatcher, store: store, count: count)
    try await flowing(engine, dispatcher: dispatcher, count: count)
    run.cancel()
    _ = try? await run.value
    await store.close()
  }

  /// All of them wait, and then bots come.
  private static func waiting(
    _ engine: TaskEngine, dispatcher: TaskDispatcher, store: SQLiteStore, count: Int
  ) async throws {
    try await create(engine, count)
    let ends = assigned(engine, count)
    let (before, start) = (store.statistics, BenchClock.elapsed.now)
    for number in 0..<bots {
      _ = try await dispatcher.say("b\(number)", .online, by: .unrestricted(as: nil))
    }
    for await _ in ends {}
    print("assign \(rate(count, since: start))")
    print("assign_group \(count / max(1, store.statistics.commits - before.commits))")
  }

  /// From a task's creation until a bot has it, many at once.
  private static func flowing(_ engine: TaskEngine, dispatcher: TaskDispatcher, count: Int)
    async throws
  {
    let ends = assigned(engine, count)
    let start = BenchClock.elapsed.now
    try await create(engine, count)
    for await _ in ends {}
    print("assign_flow \(rate(count, since: start))")
  }

  /// Ends once `count` more tasks are assigned.
  private static func assigned(_ engine: TaskEngine, _ count: Int) -> AsyncStream<Void> {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let done = Tally()
    engine.observe { changes in
      let more = changes.count { $0.changesState && $0.task.state == .assigned }
      if done.add(more) >= count { end.finish() }
    }
    return ends
  }

  private static func create(_ engine: TaskEngine, _ count: Int) async throws {
    let next = Tally()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<outstanding {
        group.addTask {
          while next.add(1) <= count {
            var draft = TaskDraft(name: "job", type: "work")
            draft.definition.input = ["n": 1]
            _ = try await engine.create(draft, by: .unrestricted(as: nil))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
