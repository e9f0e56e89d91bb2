import AgentJSON
import AgentStore
import AgentSystem
import AgentTasks
import AgentTasksTesting
import TestSupport

/// A life of the task engine that a seed decides: what is asked of it, how attempts end, when time
/// passes, what the disk refuses, when the host dies, and in which order all of that comes.
///
/// One thread does everything; nothing sleeps. The same seed is the same life.
final class TaskSimulation {
  static let bots = ["b1", "b2"]

  let jobs = SteppedExecutor()
  let clock = SteppedClock()
  let database: SQLiteStore
  let slots: Int
  var rules: TaskRules
  var dice: SeededGenerator
  private(set) var host: SimulatedHost
  private var hosts = 0
  var requests: [SimulatedRequest] = []
  var leases: [TaskLease] = []
  var names = 0
  /// What has happened, for people.
  var trace: [String] = []
  /// The disk refuses now and then.
  private let isRough: Bool
  private let randomFraction: Double
  /// A refused request tries again within a second of this, by how much time has passed.
  private var refusedAt = Int64.min
  var isRefused: Bool { clock.passed <= refusedAt.adding(1_000) }
  /// The host does the puppet's tasks, or leaves them to bots.
  var isLeft = false

  init(seed: UInt64, _ database: SQLiteStore) throws {
    var dice = SeededGenerator(seed: seed)
    self.database = database
    slots = 1 + dice.below(4)
    isRough = dice.percent(30)
    randomFraction = [0, 0.5, 1][dice.below(3)]
    self.dice = dice
    host = SimulatedHost(
      name: "", randomFraction: randomFraction, jobs: jobs, clock: clock, database: database,
      slots: slots)
    rules = TaskRules(slots: slots, randomFraction: randomFraction, controlled: host.controlled)
    try start()
  }

  func say(_ words: String) { trace.append("\(clock.now - 1_700_000_000_000): \(words)") }

  // MARK: Hosts

  private func start() throws {
    hosts += 1
    host = SimulatedHost(
      name: "\(hosts)", randomFraction: randomFraction, jobs: jobs, clock: clock,
      database: database, slots: slots)
    rules.began(host: host.name, controlled: host.controlled)
    isLeft = false
    host.start()
    try rest(mayRefuse: false)
  }

  /// The host is killed: some of its last writes may be on the disk, and nothing was reported.
  func crash() throws {
    say("the host is killed")
    if dice.percent(50), let write = host.store.take() {
      write.finish(try perform(write, refusal: nil) ?? StoreError.closedForTest)
    }
    host.store.cut()
    try end()
  }

  /// The host ends in order.
  func stop() throws {
    say("the host ends")
    rules.isStopping = true
    try end()
  }

  private func end() throws {
    host.run?.cancel()
    var rounds = 0
    while !host.hasEnded || host.controlled.attempts.count > 0 {
      try rest(mayRefuse: false)
      for attempt in host.controlled.attempts {
        host.controlled.end(attempt, .success(.cancelled()))
      }
      clock.advance(2_000)
      rounds += 1
      if rounds > 50 { throw BrokenRule("the host doesn't end") }
    }
    try rest(mayRefuse: false)
    requests = []
    try start()
  }

  // MARK: What comes when

  /// Makes `moves` steps, chosen from those that are ready.
  func go(_ moves: Int, mayRefuse: Bool = true) throws {
    for _ in 0..<moves {
      let (ready, writes) = (jobs.count, host.store.count)
      if ready == 0, writes == 0 { return }
      if ready > 0, writes == 0 || dice.percent(70) {
        jobs.run(dice.below(ready))
      } else {
        try commit(1 + dice.below(writes), mayRefuse: mayRefuse)
      }
    }
  }

  /// Lets happen what can happen without time passing.
  func rest(mayRefuse: Bool = true) throws {
    var rounds = 0
    while jobs.count > 0 || host.store.count > 0 {
      try go(50, mayRefuse: mayRefuse)
      rounds += 1
      if rounds > 2_000 { throw BrokenRule("it never comes to rest") }
    }
  }

  /// A group: all bodies run before anybody is told.
  private func commit(_ count: Int, mayRefuse: Bool) throws {
    let isRefused = mayRefuse && isRough && dice.percent(4)
    // Nobody knows whether what was refused is stored.
    let needsReconciliation = isRefused && dice.percent(50)
    if isRefused {
      say(needsReconciliation ? "the disk fails" : "the disk refuses")
      refusedAt = clock.passed
    }
    let refusal = isRefused && !needsReconciliation ? StoreError(.full, "The disk is full.") : nil
    let group = (0..<count).compactMap { _ in host.store.take() }
    var answers: [(any Error)?] = []
    // Even when a rule is broken nobody waits for ever.
    defer {
      for (place, write) in group.enumerated() {
        write.finish(place < answers.count ? answers[place] : StoreError.closedForTest)
      }
    }
    for write in group {
      let error = try perform(write, refusal: refusal, needsReconciliation: needsReconciliation)
      if needsReconciliation { write.request?.lost() }
      answers.append(needsReconciliation ? StoreError(.fault, "The disk has failed.") : error)
    }
  }

  private func perform(
    _ write: SteppedStore.Write, refusal: StoreError?, needsReconciliation: Bool = false
  ) throws -> (any Error)? {
    switch host.store.perform(write, refusal: refusal) {
    case .success(let changes):
      write.request?.stored()
      for change in changes { say("  \(Self.words(change, write.request))") }
      try rules.stored(
        changes, for: write.request?.kind, now: clock.now, needsReconciliation: needsReconciliation)
      return nil
    case .failure(let error): return error
    }
  }

  private static func words(_ change: StoredChange, _ request: SimulatedRequest?) -> String {
    let (former, row) = (change.former, change.row)
    let id = row?.id ?? former?.id ?? 0
    return
      "\(id): \(former?.state.rawValue ?? "-") → \(row?.state.rawValue ?? "-") attempt "
      + "\(row?.attempt ?? 0) \(row?.owner ?? "") \(request == nil ? "(engine)" : "")"
  }

  /// Asks the engine for something.
  func ask(
    _ kind: SimulatedRequest.Kind, _ words: String,
    body: @escaping @Sendable (TaskEngine) async throws -> Void
  ) {
    say(words)
    let (request, engine) = (SimulatedRequest(kind), host.engine)
    requests.append(request)
    Task(executorPreference: jobs) {
      await SimulatedRequest.$current.withValue(request) {
        do {
          try await body(engine)
          request.end(.success(()))
        } catch {
          request.end(.failure(error))
        }
      }
    }
  }
}

/// An engine with what it needs.
final class SimulatedHost {
  let name: String
  let engine: TaskEngine
  let store: SteppedStore
  let controlled = ScriptedExecutor()
  private let jobs: SteppedExecutor
  private(set) var run: Task<Void, Never>?
  private let ended = ResultBox<Bool>()

  init(
    name: String, randomFraction: Double, jobs: SteppedExecutor, clock: SteppedClock,
    database: SQLiteStore, slots: Int
  ) {
    self.name = name
    self.jobs = jobs
    store = SteppedStore(database)
    engine = TaskEngine(
      owner: name, pause: { try await clock.pause($0) }, randomFraction: { randomFraction },
      executor: jobs,
      now: { clock.now }, steady: { clock.steady }, log: { _, _ in })
    var plan = TaskPlan()
    plan.slots = slots
    plan.ageing = TaskRules.ageing
    plan.maxLost = Int64(TaskRules.maxLost)
    // Other tests look at tasks that are put aside after ends of the host.
    plan.maxHostEnds = .max
    plan.types["puppet"] = TaskType(
      name: "puppet", description: "", source: "test", executor: controlled)
    plan.types["bots"] = TaskType(name: "bots", description: "", source: "test", executor: nil)
    engine.apply(plan)
  }

  func start() {
    let engine = engine
    let store = store
    let ended = ended
    run = Task(executorPreference: jobs) {
      try? await engine.run(store)
      ended.set(true)
    }
  }

  var hasEnded: Bool { (try? ended.get().get()) ?? false }
}

extension TaskSimulation {
  /// Ends without a look at anything, so that nothing of it is left.
  func abandon() {
    host.store.cut()
    host.run?.cancel()
    for _ in 0..<200 where !host.hasEnded || jobs.count > 0 {
      for attempt in host.controlled.attempts {
        host.controlled.end(attempt, .success(.cancelled()))
      }
      while let write = host.store.take() { write.finish(StoreError.closedForTest) }
      for _ in 0..<jobs.count { jobs.run(0) }
      clock.advance(3_000)
    }
  }
}
