internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import BenchSupport
internal import Glibc

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

    /// Assignments that have ended, and lines of the audit log: one for each task would take most of
    /// the time of a run.
    var assignments: Int { tasks / 5 }
    var audit: Int { tasks / 5 }
    /// Events, spread over as many types as there are of tasks.
    var events: Int { tasks / 5 }
  }

  private static let outstanding = 256
  private static let states: [TaskRow.State] = [
    .succeeded, .failed, .succeeded, .cancelled, .succeeded, .dead, .succeeded, .succeeded,
  ]

  static func run(_ file: String, _ size: Size) async throws {
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: file))
    try await ended(store, size)
    try await assigned(store, size)
    try await audited(store, size)
    try await published(store, size)
    try await registered(store, size)
    try await waiting(store, size)
    await store.close()
  }

  private static func row(_ number: Int, _ size: Size) -> TaskRow {
    let type = "type-\(number % size.types)"
    return TaskRow(
      name: "job \(number)", type: type, state: states[number % states.count], priority: 500,
      queueKey: type, created: now, updated: now, attempt: 1, started: now, finished: now,
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

  /// Writes rows in parts, because one transaction of all would hold them in memory.
  private static func inParts(
    _ count: Int, of store: SQLiteStore,
    _ write: @escaping @Sendable (any StoreTransaction, Range<Int>) throws -> Void
  ) async throws {
    for first in stride(from: 0, to: count, by: 10_000) {
      let part = first..<min(count, first + 10_000)
      try await store.write { try write($0, part) }
    }
  }

  /// The clock, in Unix milliseconds: what is older than its limit would be removed meanwhile.
  private static let now = Int64(time(nil)) * 1000

  /// Assignments of bots, nearly all of which have ended well.
  private static func assigned(_ store: SQLiteStore, _ size: Size) async throws {
    try await inParts(size.assignments, of: store) { transaction, part in
      for number in part {
        _ = try transaction.assignments.insert(
          AssignmentRow(
            task: Int64(number + 1), attempt: 1, bot: "many-\(number % size.bots)",
            state: number % 100 == 0 ? .failed : .completed, strategy: "least_loaded",
            capability: "work", decision: Array(#"{"score":1,"reasons":[]}"#.utf8), waited: 1,
            created: now, accepted: now, ended: now))
      }
    }
  }

  /// Lines as many requests leave them. Their hashes aren't those of a chain, which nobody checks.
  private static func audited(_ store: SQLiteStore, _ size: Size) async throws {
    try await inParts(size.audit, of: store) { transaction, part in
      for number in part {
        try transaction.audit.append(
          AuditRow(
            number: Int64(number + 1), timestamp: now, actor: "person:many-\(number % 100)",
            address: "127.0.0.1", action: "start_process", target: "process-\(number % size.types)",
            outcome: "done", detail: Array("{}".utf8), hash: [UInt8](repeating: 0, count: 32)))
      }
    }
  }

  private static func published(_ store: SQLiteStore, _ size: Size) async throws {
    let moment = now
    try await inParts(size.events, of: store) { transaction, part in
      _ = try transaction.events.append(
        part.map { number in
          NewEvent(
            type: "kind-\(number % size.types)", timestamp: moment, source: "bench",
            body: Array(#"{"n":\#(number)}"#.utf8))
        })
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
