internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import BenchSupport
internal import Glibc

/// The engine on a database of its own: tasks that do nothing.
enum OwnEngine {
  private static let outstanding = 256

  private struct Nothing: TaskExecutor {
    func run(_ work: TaskWork) async throws -> TaskOutcome { .succeeded(.null) }
  }

  /// - Parameter finished: how many tasks have ended before anything is measured.
  static func measure(_ file: String, _ count: Int, finished: Int) async throws {
    let store = try await open(file, finished: finished)
    let engine = TaskEngine(owner: "bench", now: { BenchClock.elapsed.now / 1_000_000 }) {
      print($1)
    }
    var plan = TaskPlan()
    plan.slots = 0
    plan.keep = .max / 2
    plan.types["nothing"] = TaskType(
      name: "nothing", description: "", source: "bench", executor: Nothing())
    engine.apply(plan)
    let run = Task { try await engine.run(store) }
    while (try? await engine.counts()) == nil { await Task.yield() }
    try await enqueue(engine, store: store, count: count)
    await drain(engine, store: store, plan: plan, count: count)
    try await idle(engine, store)
    run.cancel()
    _ = try? await run.value
    await store.close()
  }

  private static func enqueue(
    _ engine: TaskEngine, store: SQLiteStore, count: Int
  ) async throws {
    let (before, start) = (store.statistics, BenchClock.elapsed.now)
    let next = Tally()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<outstanding {
        group.addTask {
          while next.add(1) <= count {
            var draft = TaskDraft(name: "job", type: "nothing")
            draft.definition.input = ["n": 1]
            _ = try await engine.create(draft, by: .unrestricted(as: nil))
          }
        }
      }
      try await group.waitForAll()
    }
    print("enqueue \(rate(count, since: start))")
    let after = store.statistics
    let commits = max(1, after.commits - before.commits)
    print("enqueue_group \((after.writes - before.writes) / commits)")
  }

  private static func drain(
    _ engine: TaskEngine, store: SQLiteStore, plan: TaskPlan, count: Int
  ) async {
    let done = Tally()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    engine.observe { changes in
      let ended = changes.count { $0.task.state == .succeeded }
      if done.add(ended) == count { end.finish() }
    }
    let (before, start) = (store.statistics, BenchClock.elapsed.now)
    var plan = plan
    plan.slots = outstanding
    engine.apply(plan)
    for await _ in ends {}
    print("drain \(rate(count, since: start))")
    print("drain_group \(count / max(1, store.statistics.commits - before.commits))")
  }

  /// A task alone, from its creation to its end, beside a lone durable commit, in turns.
  private static func idle(_ engine: TaskEngine, _ store: SQLiteStore) async throws {
    var (tasks, commits): ([Int64], [Int64]) = ([], [])
    for _ in 0..<RunLength.choose(full: 300, short: 10) {
      var start = BenchClock.elapsed.now
      let task = try await engine.create(
        TaskDraft(name: "job", type: "nothing"), by: .unrestricted(as: nil)
      ).task
      _ = try await engine.wait(for: task.id, milliseconds: 10_000)
      tasks.append(BenchClock.elapsed.now - start)
      start = BenchClock.elapsed.now
      _ = try await store.write {
        try $0.events.append(
          [NewEvent(type: "t", timestamp: 1, source: "s", body: Array("{}".utf8))])
      }
      commits.append(BenchClock.elapsed.now - start)
    }
    print("idle_us \(tasks.sorted()[tasks.count / 2] / 1_000)")
    print("commit_us \(commits.sorted()[commits.count / 2] / 1_000)")
  }

  /// A database in which `finished` tasks have ended.
  static func open(_ file: String, finished: Int) async throws -> SQLiteStore {
    let configuration = SQLiteStoreConfiguration(path: file)
    if finished > 0 {
      let store = try await SQLiteStore.open(configuration)
      try await fill(store, finished)
      await store.close()
      // All of it is to be on the disk, which has nothing else to do then.
      sync()
    }
    return try await SQLiteStore.open(configuration)
  }

  private static func fill(_ store: SQLiteStore, _ count: Int) async throws {
    let row = TaskRow(
      name: "old", type: "nothing", state: .succeeded, priority: 500, queueKey: "nothing",
      created: 1,
      updated: 1, attempt: 1, started: 1, finished: 1,
      definition: Array(#"{"input":{"n":1}}"#.utf8),
      result: Array(#"{"output":null,"error":null,"execution_time":0,"timestamp":1}"#.utf8),
      history: Array(String(repeating: #"{"at":1,"state":"queued"}"# + "\n", count: 3).utf8))
    for first in stride(from: 0, to: count, by: 1_000) {
      try await store.write { transaction in
        for _ in first..<min(count, first + 1_000) { try transaction.tasks.insert(row) }
      }
    }
  }
}
