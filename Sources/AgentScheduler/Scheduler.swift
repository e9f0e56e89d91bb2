internal import AgentSystem
public import AgentSchedules
public import AgentStore
public import AgentTasks
internal import Synchronization

/// Keeps schedules, and makes their tasks when their times come.
///
/// The database is the record: what it has decided about a time and the task that came of it commit
/// together, so that a time has one run at most, whatever crashes. Nothing is kept in memory for a
/// schedule; the scheduler sleeps until the next one. Safe from every thread.
public final class Scheduler: Sendable {
  struct State {
    var phase = ServicePhase.starting
    var counts: [ScheduleRow.State: Int64] = [:]
    /// Schedules whose runs wait for others.
    var waiting: Set<Int64> = []
    /// Those of them where somebody has to look whether the next may begin.
    var unchecked: Set<Int64> = []
    /// The settings' schedules, until they are those that are kept.
    var wanted: [ScheduleDraft]?
  }

  /// The lateness in milliseconds up to which a run counts as on time.
  public static let grace: Int64 = 60_000

  let engine: TaskEngine
  let zone: @Sendable (String) async throws(TimeZoneError) -> TimeZoneRules
  let now: @Sendable () -> Int64
  let log: @Sendable (TaskEngine.LogLevel, String) -> Void
  let state = Mutex(State())
  let wakeTimer: WakeTimer
  private let observers = Mutex<[@Sendable ([ScheduleNotice]) -> Void]>([])
  private let recorders = Mutex<
    [@Sendable ([ScheduleNotice], any StoreTransaction) throws -> Void]
  >([])

  /// - Parameters:
  ///   - engine: keeps the tasks that are made.
  ///   - zone: the rules of a time zone; it may read files.
  ///   - pause: waits for a number of milliseconds.
  ///   - now: the clock, in Unix milliseconds.
  ///   - log: takes what people should know of the work itself.
  public init(
    engine: TaskEngine,
    zone: @escaping @Sendable (String) async throws(TimeZoneError) -> TimeZoneRules,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    now: @escaping @Sendable () -> Int64,
    log: @escaping @Sendable (TaskEngine.LogLevel, String) -> Void
  ) {
    self.engine = engine
    self.zone = zone
    self.now = now
    self.log = log
    wakeTimer = WakeTimer(pause: pause)
    engine.observe { [weak self] in self?.tasksDidChange($0) }
  }

  /// Calls `observer` with what has happened once it is durable; it must be quick.
  public func observe(_ observer: @escaping @Sendable ([ScheduleNotice]) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  /// Calls `recorder` with what happens in the transaction that stores it. On the thread that
  /// stores; when it throws, nothing of the transaction is stored.
  public func record(
    _ recorder: @escaping @Sendable ([ScheduleNotice], any StoreTransaction) throws -> Void
  ) {
    recorders.withLock { $0.append(recorder) }
  }

  /// Writes and waits until the write is durable. Results are settled in the order of the commits.
  /// - Parameters:
  ///   - body: makes the changes, on the writer's thread; the store may run it twice.
  ///   - settle: applies them to memory and reports them, on the writer's thread.
  /// - Returns: what `body` has returned.
  @discardableResult
  func write<Value: Sendable>(
    _ store: any Store, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    settle: @escaping @Sendable (Value) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      store.submit(.savepoint) { [engine] transaction in
        try engine.applyJump(in: transaction)
        return try body(transaction)
      } completion: { [engine] (outcome: Result<Value, any Error>) in
        // Here and not after the `await`: later writes end on this thread too, and one of the same
        // task must not be settled before this one.
        switch outcome {
        case .success(let value): settle(value)
        case .failure(let error): engine.failed(error)
        }
        continuation.resume(with: outcome)
      }
    }
  }

  /// Commits a decision with all that is stored beside it.
  func commit(
    _ firing: ScheduleFiring, _ transaction: any StoreTransaction
  ) throws -> ScheduleFiring.Result? {
    guard let result = try firing.commit(transaction) else { return nil }
    try engine.record(result.changes, in: transaction)
    try record(result.notices, in: transaction)
    return result
  }

  /// Has stored what is to be stored with what has happened.
  func record(_ notices: [ScheduleNotice], in transaction: any StoreTransaction) throws {
    for recorder in recorders.withLock({ $0 }) { try recorder(notices, transaction) }
  }

  /// How many schedules are in each state.
  public var counts: [ScheduleRow.State: Int64] { state.withLock { $0.counts } }

  /// Opens, and works until the task is cancelled. Once.
  public func run(_ store: any Store) async throws {
    try await open(store)
    await work(store)
  }

  /// Looks at what there is, and answers calls from now on.
  public func open(_ store: any Store) async throws {
    let (counts, waiting) = try await store.read { snapshot in
      var counts: [ScheduleRow.State: Int64] = [:]
      for state in ScheduleRow.State.allCases {
        counts[state] = try snapshot.schedules.scheduleCount(state)
      }
      return (counts, try snapshot.schedules.schedulesWithWaitingTasks())
    }
    try state.withLock { state in
      guard state.phase.apply(.open(store)) else { throw Self.notReady }
      state.counts = counts
      // A run may have ended just before the host did: each schedule is looked at once.
      (state.waiting, state.unchecked) = (Set(waiting), Set(waiting))
    }
  }

  /// Fires what is due until the task is cancelled. Once it is open.
  public func work(_ store: any Store) async {
    await runTimers(store)
    state.withLock { state in
      _ = state.phase.apply(.stop)
      _ = state.phase.apply(.end)
    }
  }

  // MARK: For all parts

  func readyStore() throws(TaskError) -> any Store {
    guard let store = state.withLock(\.phase.runningStore) else { throw Self.notReady }
    return store
  }

  private static var notReady: TaskError {
    TaskError(.notReady, "The agent is starting or ending; try again in a moment.")
  }

  /// Publishes what has happened, and wakes the scheduler for what it has changed.
  func publish(_ notices: [ScheduleNotice]) {
    guard !notices.isEmpty else { return }
    for observer in observers.withLock({ $0 }) { observer(notices) }
  }

  func count(_ former: ScheduleRow.State?, _ state: ScheduleRow.State?) {
    self.state.withLock { held in
      if let former { held.counts[former, default: 0] -= 1 }
      if let state { held.counts[state, default: 0] += 1 }
    }
  }

  /// Publishes the result of a durable commit, and starts its tasks. On the writer's thread.
  func settle(_ result: ScheduleFiring.Result, of id: Int64) {
    engine.settle(result.changes)
    engine.interrupt(result.cancelled)
    if result.hasWaiting { state.withLock { _ = $0.unchecked.insert(id) } }
    publish(result.notices)
  }

  /// What a schedule says, ready to be asked for times.
  func compiled(_ row: ScheduleRow) async throws -> (ScheduleDefinition, Schedule) {
    let definition = try ScheduleDefinition(stored: row.definition)
    return (definition, try await compiled(definition, id: row.id, created: row.created))
  }

  func compiled(
    _ definition: ScheduleDefinition, id: Int64, created: Int64
  ) async throws -> Schedule {
    let rules: TimeZoneRules
    do throws(TimeZoneError) {
      rules = try await zone(definition.zone)
    } catch {
      throw TaskError(.invalid, "zone: \(error)")
    }
    return try definition.schedule(id: id, created: created, rules: rules)
  }
}
