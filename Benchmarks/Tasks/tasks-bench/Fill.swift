internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import BenchSupport

/// A database as a large agent has it: what has ended goes straight to the store, what waits
/// through the engine, which names its queues.
enum Fill {
  /// How much there is.
  struct Size {
    /// Tasks that have ended.
    let tasks: Int
    /// Tasks that wait for bots without a free slot, each with a concurrency key of its own.
    let keys: Int
    /// Types of tasks.
    let types: Int
    /// Bots, all of which take nothing new.
    let bots: Int
  }

  private static let outstanding = 256
  private static let states: [TaskRow.State] = [
    .succeeded, .failed, .succeeded, .cancelled, .succeeded, .dead, .succeeded, .succeeded,
  ]

  static func run(_ file: String, _ size: Size) async throws {
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: file))
    try await ended(store, size)
    try await registered(store, size)
    try await waiting(store, size)
    await store.close()
  }

  private static func row(_ number: Int, _ size: Size) -> TaskRow {
    let type = "type-\(number % size.types)"
    return TaskRow(
      name: "job \(number)", type: type, state: states[number % states.count], priority: 500,
      queueKey: type, created: 1, updated: 1, attempt: 1, started: 1, finished: 1,
      definition: Array(#"{"input":{"n":\#(number)},"tags":["tag-\#(number % 50)"]}"#.utf8),
      result: Array(#"{"output":null,"error":null,"execution_time":0,"timestamp":1}"#.utf8),
      history: Array(String(repeating: #"{"at":1,"state":"queued"}"# + "\n", count: 3).utf8))
  }

  private static func ended(_ store: SQLiteStore, _ size: Size) async throws {
    for first in stride(from: 0, to: size.tasks, by: 10_000) {
      try await store.write { transaction in
        for number in first..<min(size.tasks, first + 10_000) {
          try transaction.tasks.insert(row(number, size))
        }
      }
    }
  }

  private static func registered(_ store: SQLiteStore, _ size: Size) async throws {
    try await store.write { transaction in
      for number in 0..<size.bots {
        let work = BotCapability(name: "work", taskTypes: ["type-\(number % size.types)"])
        let bot = BotDefinition(name: "bot \(number)", capabilities: [work])
        try transaction.bots.put(
          BotRow(
            id: "many-\(number)", definition: JSONValue.object(bot.json).bytes(),
            lifecycle: "draining", registered: 1, updated: 1, heartbeat: 1))
      }
    }
  }

  private static func waiting(_ store: SQLiteStore, _ size: Size) async throws {
    let engine = TaskEngine(owner: "bench", now: { BenchClock.elapsed.now / 1_000_000 }) {
      print($1)
    }
    var plan = TaskPlan()
    for number in 0..<size.types {
      let name = "type-\(number)"
      plan.types[name] = TaskType(name: name, description: "", source: "bench", executor: nil)
    }
    engine.apply(plan)
    let run = Task { try await engine.run(store) }
    while (try? await engine.counts()) == nil { await Task.yield() }
    let next = Tally()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<outstanding {
        group.addTask {
          while case let number = next.add(1), number <= size.keys {
            var draft = TaskDraft(name: "waiting \(number)", type: "type-\(number % size.types)")
            draft.definition.concurrencyKey = "key-\(number)"
            _ = try await engine.create(draft, by: .unrestricted(as: nil))
          }
        }
      }
      try await group.waitForAll()
    }
    run.cancel()
    _ = try? await run.value
  }
}
