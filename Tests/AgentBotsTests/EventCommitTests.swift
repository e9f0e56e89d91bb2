import AgentAssignment
import AgentBots
import AgentEvents
import AgentJSON
import AgentQueries
import AgentStore
import AgentTasks
import AgentTasksTesting
import Glibc
import Synchronization
import TestSupport
import Testing

/// An event that needs a person is stored in the commit of its cause: a host that is killed has
/// stored both, or neither.
@Suite struct EventCommitTests {
  @Test(arguments: 0..<10)
  func `an event is published once, whichever write comes last`(_ writes: Int) async throws {
    let test = try await KilledDispatcher()
    let (raised, lonely) = try await test.prepare()
    test.store.kill(after: writes)
    await test.execute(lonely)
    try await eventually("it is killed, or all of it is told") {
      test.clock.advance(200)
      if test.store.isKilled { return true }
      return try await test.publishedEvents(nil) == 3
    }
    // What was on its way has been decided about.
    await test.stop()
    let stored = try await test.sqlite.read { snapshot in
      (
        task: try snapshot.tasks.task(raised),
        steps: try snapshot.assignments.escalations(of: raised),
        alarms: try snapshot.assignments.escalations(of: lonely),
        bot: try snapshot.bots.bot("b1")
      )
    }
    let escalated = try await test.publishedEvents("task_escalated")
    #expect(escalated == stored.steps.filter { $0.step == 0 }.count)
    #expect(stored.task?.priority == (escalated == 0 ? 500 : 600))
    #expect(
      try await test.publishedEvents("task_unassignable")
        == stored.alarms.filter { $0.count > 0 }.count)
    let isLost = stored.bot?.lifecycle.hasPrefix("lost") == true
    #expect(try await test.publishedEvents("bot_offline") == (isLost ? 1 : 0))
    await test.remove()
  }

  @Test(arguments: [StoreError.Code.full, .fault])
  func `a bot that goes offline while nothing can be stored is reported once, when it can`(
    _ code: StoreError.Code
  ) async throws {
    let test = try await KilledDispatcher()
    _ = try await test.prepare()
    test.store.refuse(StoreError(code, "for a test"))
    try await eventually("it is offline, and that was tried again") {
      test.clock.advance(200)
      return test.isOffline && test.store.refused > 10
    }
    #expect(try await test.publishedEvents("bot_offline") == 0)
    test.store.refuse(nil)
    try await eventually("it is told") {
      test.clock.advance(200)
      return try await test.publishedEvents("bot_offline") == 1
    }
    for _ in 0..<50 {
      test.clock.advance(1_000)
      try await test.sqlite.write { _ in }
    }
    await test.stop()
    #expect(try await test.publishedEvents("bot_offline") == 1)
    let row = try await test.sqlite.read { try $0.bots.bot("b1") }
    #expect(row?.lifecycle.hasPrefix("lost") == true)
    await test.remove()
  }
}

/// A dispatcher with its engine, whose events go to the log of the same database, as the host's do.
private final class KilledDispatcher: Sendable {
  let clock = TestTime()
  let store: KilledStore
  let sqlite: SQLiteStore
  private let folder: String
  private let bus: EventBus
  private let engine: TaskEngine
  private let dispatcher: TaskDispatcher
  private let works: [Task<Void, Never>]

  init() async throws {
    var template = Array("/tmp/killed-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    sqlite = try await SQLiteStore.open(SQLiteStoreConfiguration(path: folder + "/store.db"))
    store = KilledStore(sqlite)
    let (store, clock) = (store, clock)
    bus = EventBus(pause: { try await clock.pause($0) }, now: { clock.now })
    try await bus.open(store)
    let bus = bus
    engine = TaskEngine(
      owner: "first", pause: { try await clock.pause($0) }, now: { clock.now },
      steady: { clock.steady }, log: { _, _ in })
    var plan = TaskPlan()
    plan.types["bots"] = TaskType(name: "bots", description: "", source: "test", executor: nil)
    engine.apply(plan)
    dispatcher = TaskDispatcher(
      tasks: engine, pause: { try await clock.pause($0) }, now: { clock.now },
      steady: { clock.steady }, log: { _, _ in },
      // Nothing that has to be stored depends on this.
      publish: { try? bus.publish([$0], source: "agent", by: .host) { _ in } })
    dispatcher.record { try bus.append([$0], source: "agent", to: $1) }
    var bots = BotPlan()
    (bots.heartbeatTimeout, bots.answerWithin) = (2_000, 1_000_000)
    dispatcher.apply(bots)
    let (engine, dispatcher) = (engine, dispatcher)
    try await engine.open(store)
    try await dispatcher.open(store)
    works = [Task { await engine.work(store) }, Task { await dispatcher.work(store) }]
  }

  /// A bot that sends nothing any more, an offer that it doesn't accept, and a task that nobody can
  /// take.
  func prepare() async throws -> (raised: Int64, lonely: Int64) {
    let definition = BotDefinition(
      name: "b1", type: .worker,
      capabilities: [BotCapability(name: "c", taskTypes: ["bots"], priorityBoost: 0)],
      maxConcurrentTasks: 1)
    _ = try await dispatcher.register(definition, id: "b1", by: "test")
    _ = try await dispatcher.heartbeat("b1", by: "test")
    var draft = TaskDraft(name: "raised", type: "bots")
    draft.definition.escalation = [["after_ms": 1_000, "to": ["priority": 100]]]
    let raised = try await engine.create(draft, by: "test").task.id
    try await eventually("it is offered") {
      try await engine.task(raised).state == .assigned
    }
    draft = TaskDraft(name: "lonely", type: "bots")
    draft.waits = true
    draft.definition.bot = "nobody"
    let lonely = try await engine.create(draft, by: "test").task.id
    return (raised, lonely)
  }

  var isOffline: Bool { (try? dispatcher.bot("b1")["status"]) == "offline" }

  /// Asks for a task, if the store still takes that.
  func execute(_ task: Int64) async { _ = try? await engine.execute(task, at: nil, by: "test") }

  /// How many such events are in the log; nil for all three.
  func publishedEvents(_ type: String?) async throws -> Int {
    let filter = type ?? "(task_escalated | task_unassignable | bot_offline)"
    return try await bus.events(matching: try EventQuery(parsing: filter)).events.count
  }

  func stop() async {
    for work in works { work.cancel() }
    // The waiting tasks continue.
    let time = Task {
      while !Task.isCancelled {
        clock.advance(1_000)
        await Task.yield()
      }
    }
    for work in works { await work.value }
    time.cancel()
    // Behind all that was on its way.
    try? await sqlite.write { _ in }
  }

  func remove() async {
    await sqlite.close()
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink("\(folder)/store.db\(suffix)") }
    rmdir(folder)
  }
}

/// A store of a host that is killed after a number of writes: nothing is stored from then on. It may
/// also refuse writes for a while.
private final class KilledStore: Store {
  private let store: SQLiteStore
  private let refusal = Mutex<StoreError?>(nil)
  private let count = Atomic(0)
  private let left = Mutex<(writes: Int, isKilled: Bool)>((.max, false))

  init(_ store: SQLiteStore) { self.store = store }

  func kill(after writes: Int) { left.withLock { $0.writes = writes } }

  /// Refuses writes with this error; takes them again with nil.
  func refuse(_ error: StoreError?) { refusal.withLock { $0 = error } }

  /// How many writes were refused.
  var refused: Int { count.load(ordering: .relaxed) }

  var isKilled: Bool { left.withLock { $0.isKilled } }

  func submit<Value: Sendable>(
    _ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let isDead = left.withLock { left in
      left.writes -= 1
      if left.writes < 0 { left.isKilled = true }
      return left.isKilled
    }
    if isDead { return completion(.failure(StoreError.closedForTest)) }
    if let error = refusal.withLock(\.self) {
      count.add(1, ordering: .relaxed)
      return completion(.failure(error))
    }
    store.submit(kind, body, completion: completion)
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreSnapshot) throws -> Value
  ) async throws -> Value {
    try await store.read(body)
  }

  var condition: StoreCondition { store.condition }
  var statistics: StoreStatistics { store.statistics }
  func close() async { await store.close() }
}
