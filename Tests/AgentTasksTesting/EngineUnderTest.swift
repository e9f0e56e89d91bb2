package import AgentStore
package import AgentTasks
import Glibc
import Synchronization
import TestSupport

/// An engine on a database of its own, with a clock that goes when a test says so.
package final class EngineUnderTest: Sendable {
  package let engine: TaskEngine
  package let store: SQLiteStore
  /// What the engine writes to: the store, unless a test lets it refuse.
  package let front: RefusingStore
  package let clock: TestTime
  package let executor: ControlledExecutor
  private let folder: String
  private let running: Mutex<Task<Void, any Error>?>

  private init(
    folder: String, store: SQLiteStore, engine: TaskEngine, clock: TestTime,
    executor: ControlledExecutor
  ) {
    self.folder = folder
    self.store = store
    self.engine = engine
    front = RefusingStore(store)
    (self.clock, self.executor) = (clock, executor)
    running = Mutex(nil)
  }

  /// - Parameters:
  ///   - boot: which start of the machine it is.
  ///   - runner: runs the engine's tasks; nil for the default executor.
  ///   - former: whose database it goes on with.
  package static func started(
    slots: Int = 4, owner: String = "first", boot: String = "",
    on runner: (any _Concurrency.TaskExecutor)? = nil,
    after former: EngineUnderTest? = nil, _ change: (inout TaskPlan) -> Void = { _ in }
  ) async throws -> EngineUnderTest {
    let folder = former?.folder ?? Self.newFolder()
    let clock = former?.clock ?? TestTime()
    let store = try await open(folder + "/store.db")
    let executor = ControlledExecutor()
    let engine = TaskEngine(
      owner: owner, pause: { try await clock.pause($0) }, executor: runner, now: { clock.now },
      steady: { clock.steady }, boot: boot, log: { _, _ in })
    var plan = TaskPlan()
    plan.slots = slots
    plan.types["puppet"] = TaskType(
      name: "puppet", description: "", source: "test", executor: executor)
    plan.types["bots"] = TaskType(name: "bots", description: "", source: "test", executor: nil)
    change(&plan)
    engine.apply(plan)
    let test = EngineUnderTest(
      folder: folder, store: store, engine: engine, clock: clock, executor: executor)
    let run = Task { [front = test.front] in try await engine.run(front) }
    test.running.withLock { $0 = run }
    try await eventually("the engine runs") { (try? await engine.counts()) != nil }
    return test
  }

  /// A program that another test starts holds a closed database's lock until it is on its own.
  private static func open(_ path: String) async throws -> SQLiteStore {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      do {
        return try await SQLiteStore.open(SQLiteStoreConfiguration(path: path))
      } catch let error as StoreError where error.code == .locked && ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  /// The database of a test whose engine has been stopped.
  package static func opened(_ former: EngineUnderTest) async throws -> SQLiteStore {
    try await open(former.folder + "/store.db")
  }

  private static func newFolder() -> String {
    var template = Array("/tmp/tasks-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return "/tmp" }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Ends the engine as the host does.
  package func stop() async {
    let run = running.withLock { $0 }
    run?.cancel()
    _ = try? await run?.value
    await store.close()
  }

  /// Ends the engine as a kill of its host does: nothing more is stored.
  package func kill() async {
    front.refuse(.closedForTest)
    await stop()
  }

  /// Ends the test.
  package func remove() async {
    await stop()
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink("\(folder)/store.db\(suffix)") }
    rmdir(folder)
  }

  /// A task of the puppet's.
  package func create(
    _ name: String = "a", type: String = "puppet", _ change: (inout TaskDraft) -> Void = { _ in }
  ) async throws -> TaskRow {
    var draft = TaskDraft(name: name, type: type)
    change(&draft)
    return try await engine.create(draft, by: "test").task
  }

  /// Gives a task to a bot, with an assignment.
  package func assign(_ task: TaskRow, to bot: String) async throws -> TaskLease? {
    let assigned = try await engine.assign(
      task.id, to: bot, until: clock.now + 60_000, note: "", by: nil, isByHand: false
    ) { row, transaction in
      try transaction.assignments.insert(
        AssignmentRow(
          task: row.id, attempt: row.attempt, bot: bot, strategy: "test", capability: nil,
          decision: [], waited: 0, created: 0))
    }
    return assigned.map { TaskLease(task: $0.task.id, attempt: $0.task.attempt, owner: bot) }
  }

  /// Returns once a task is in a state.
  package func reached(_ id: Int64, _ state: TaskState) async throws -> TaskRow {
    try await eventually("task \(id) is \(state)") { [engine] in
      try await engine.task(id).state == state
    }
    return try await engine.task(id)
  }
}

/// Does tasks when the test says how.
package final class ControlledExecutor: TaskExecutor {
  private struct State {
    var begun: [TaskWork] = []
    var waiting: [Int64: CheckedContinuation<TaskOutcome, Never>] = [:]
    var answers: [Int64: TaskOutcome] = [:]
    var always: TaskOutcome?
  }

  private let state = Mutex(State())

  package init() {}

  /// The names of what has begun, in that order.
  package var begun: [String] { state.withLock { $0.begun.map(\.task.name) } }

  /// The attempt of a task that has begun.
  package func work(_ id: Int64) -> TaskWork? {
    state.withLock { $0.begun.last { $0.task.id == id } }
  }

  /// Also to what is waiting for an answer already.
  package func answerAlways(_ outcome: TaskOutcome) {
    let waiting = state.withLock { state in
      state.always = outcome
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }

  package func run(_ work: TaskWork) async throws -> TaskOutcome {
    let id = work.task.id
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now = state.withLock { state -> TaskOutcome? in
          state.begun.append(work)
          if let answer = state.answers.removeValue(forKey: id) ?? state.always { return answer }
          state.waiting[id] = continuation
          return nil
        }
        if let now { continuation.resume(returning: now) }
        if Task.isCancelled { end(id, .cancelled()) }
      }
    } onCancel: {
      end(id, .cancelled())
    }
  }

  /// Ends what is being done, or will be.
  package func end(_ id: Int64, _ outcome: TaskOutcome) {
    let waiting = state.withLock { state in
      let waiting = state.waiting.removeValue(forKey: id)
      if waiting == nil { state.answers[id] = outcome }
      return waiting
    }
    waiting?.resume(returning: outcome)
  }
}

/// A clock that stands until it is moved.
package final class TestTime: Sendable {
  private struct Sleeper {
    let number: Int
    let until: Int64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: Int64 = 1_700_000_000_000
    /// How much time has really passed.
    var passed: Int64 = 0
    var last = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Int64 { state.withLock { $0.now } }
  /// The clock that nobody sets.
  package var steady: Duration { state.withLock { .milliseconds($0.passed) } }

  /// Whether somebody waits for `milliseconds` from now.
  package func hasSleeper(of milliseconds: Int64) -> Bool {
    state.withLock { state in
      state.sleepers.contains { $0.until == state.now + milliseconds }
    }
  }

  package func advance(_ milliseconds: Int64) {
    let woken = state.withLock { state in
      state.now += milliseconds
      state.passed += milliseconds
      let woken = state.sleepers.filter { $0.until <= state.now }
      state.sleepers.removeAll { $0.until <= state.now }
      return woken
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Sets the clock, forward or back, as who sets a clock on a wall: nobody sleeps shorter or longer.
  package func step(_ milliseconds: Int64) {
    state.withLock { state in
      state.now += milliseconds
      state.sleepers = state.sleepers.map { sleeper in
        Sleeper(
          number: sleeper.number, until: sleeper.until + milliseconds,
          continuation: sleeper.continuation)
      }
    }
  }

  /// Wakes all that sleep, as if they had slept enough: who began to sleep while the clock was moved
  /// would oversleep.
  package func wake() {
    let woken = state.withLock { state in
      defer { state.sleepers = [] }
      return state.sleepers
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  package func pause(_ duration: Duration) async throws {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    // No time is over at once, as with every clock.
    if milliseconds <= 0 { return try Task.checkCancellation() }
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if state.cancelled.remove(number) != nil { return true }
          state.sleepers.append(
            Sleeper(number: number, until: state.now + milliseconds, continuation: continuation))
          return false
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let place = state.sleepers.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.sleepers.remove(at: place)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
