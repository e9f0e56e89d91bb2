internal import AgentSystem
public import AgentSchedules
public import AgentStore
public import AgentTasks
internal import Synchronization

/// Stores schedules, and creates their tasks at their fire times.
///
/// A decision about a fire time and its task are stored in one transaction, so that a fire time has
/// one run at most, even after a crash. Schedules aren't kept in memory: the scheduler waits for
/// the earliest wake-up in the database. Safe from every thread.
public final class Scheduler: Sendable {
  struct State {
    var phase = ServicePhase.starting
    var counts: [ScheduleRow.State: Int64] = [:]
    /// The bytes of all definitions.
    var bytes: Int64 = 0
    /// The schedules whose runs wait for earlier ones.
    var waiting: Set<Int64> = []
    /// The schedules for which the loop must check whether the next waiting run may start.
    var unchecked: Set<Int64> = []
    /// The schedules of the settings that aren't stored yet. Nil if all are.
    var wanted: [ScheduleDraft]?
  }

  /// The lateness in milliseconds up to which a run counts as on time.
  public static let grace: Int64 = 60_000

  let engine: TaskEngine
  let zone: @Sendable (String) async throws(TimeZoneError) -> TimeZoneRules
  let now: @Sendable () -> Int64
  let log: @Sendable (TaskEngine.LogLevel, String) -> Void
  let state = Mutex(State())
  // One loop handles everything: new schedules, ends of runs, and fire times.
  let wakeTimer: WakeTimer
  private let observers = Mutex<[@Sendable ([ScheduleNotice]) -> Void]>([])
  private let recorders = Mutex<
    [@Sendable ([ScheduleNotice], any StoreTransaction) throws -> Void]
  >([])

  /// - Parameters:
  ///   - engine: stores and runs the created tasks.
  ///   - zone: returns the rules of a time zone. It may read files.
  ///   - pause: waits for a duration.
  ///   - now: the clock, in Unix milliseconds.
  ///   - log: takes messages about the scheduler's own work.
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
    // Weak: the scheduler holds the engine, and the engine holds its observers.
    engine.observe { [weak self] in self?.tasksDidChange($0) }
  }

  /// Adds an observer. It is called with durable changes, on the writer's thread, in the order of
  /// the commits. It must return quickly.
  public func observe(_ observer: @escaping @Sendable ([ScheduleNotice]) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  /// Adds a recorder. It is called on the writer's thread, in the transaction that stores the
  /// changes, and may write to it. If it throws, nothing of the transaction is stored.
  public func record(
    _ recorder: @escaping @Sendable ([ScheduleNotice], any StoreTransaction) throws -> Void
  ) {
    recorders.withLock { $0.append(recorder) }
  }

  /// Writes, and returns when the write is durable. Results are settled in the order of the
  /// commits.
  /// - Parameters:
  ///   - body: makes the changes, on the writer's thread. The store may run it twice.
  ///   - settle: updates the memory and reports the changes, on the writer's thread.
  /// - Returns: the result of `body`.
  @discardableResult
  func write<Value: Sendable>(
    _ store: any Store, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value,
    settle: @escaping @Sendable (Value) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      store.submit(.savepoint) { [engine] transaction in
        // If the clock was set, stored moments of tasks move before a transition uses them.
        try engine.applyJump(in: transaction)
        return try body(transaction)
      } completion: { [engine] (outcome: Result<Value, any Error>) in
        // Settled here and not after the `await`: the next write completes on this thread too, and
        // must be settled later than this one.
        switch outcome {
        case .success(let value): settle(value)
        case .failure(let error): engine.failed(error)
        }
        continuation.resume(with: outcome)
      }
    }
  }

  /// Stores a decision, and calls the recorders of tasks and of schedules in the same transaction.
  /// - Returns: nil if the schedule has changed. Nothing is stored then.
  func commit(
    _ firing: ScheduleFiring, _ transaction: any StoreTransaction
  ) throws -> ScheduleFiring.Result? {
    guard let result = try firing.commit(transaction) else { return nil }
    try engine.record(result.changes, in: transaction)
    try record(result.notices, in: transaction)
    return result
  }

  /// Calls the recorders in the transaction that stores the changes.
  /// - Throws: the first error of a recorder.
  func record(_ notices: [ScheduleNotice], in transaction: any StoreTransaction) throws {
    for recorder in recorders.withLock({ $0 }) { try recorder(notices, transaction) }
  }

  /// The number of schedules in each state.
  public var counts: [ScheduleRow.State: Int64] { state.withLock { $0.counts } }

  /// Opens, then works until the task is cancelled. Called once.
  public func run(_ store: any Store) async throws {
    try await open(store)
    await work(store)
  }

  /// Reads the counts and the waiting runs, and accepts requests from then on.
  /// - Throws: `notReady` if it was opened before; errors of the store.
  public func open(_ store: any Store) async throws {
    let (stored, waiting) = try await store.read { snapshot in
      var counts: [ScheduleRow.State: Int64] = [:]
      for state in ScheduleRow.State.allCases {
        counts[state] = try snapshot.schedules.scheduleCount(state)
      }
      let bytes = try snapshot.schedules.scheduleBytes()
      return (
        (counts: counts, bytes: bytes), try snapshot.schedules.schedulesWithWaitingTasks()
      )
    }
    try state.withLock { state in
      guard state.phase.apply(.open(store)) else { throw Self.notReady }
      (state.counts, state.bytes) = (stored.counts, stored.bytes)
      // A run may have ended just before the host stopped: the first round checks each schedule.
      (state.waiting, state.unchecked) = (Set(waiting), Set(waiting))
    }
  }

  /// Fires schedules until the task is cancelled. Called once, after ``open(_:)``.
  public func work(_ store: any Store) async {
    await runTimers(store)
    state.withLock { state in
      _ = state.phase.apply(.stop)
      _ = state.phase.apply(.end)
    }
  }

  // MARK: For all parts

  /// Returns the store while requests are accepted.
  /// - Throws: `notReady` before the start, and once the host stops.
  func readyStore() throws(TaskError) -> any Store {
    guard let store = state.withLock(\.phase.runningStore) else { throw Self.notReady }
    return store
  }

  private static var notReady: TaskError {
    TaskError(.notReady, "The agent is starting or ending; try again in a moment.")
  }

  /// Calls the observers with durable changes, on the writer's thread.
  func publish(_ notices: [ScheduleNotice]) {
    guard !notices.isEmpty else { return }
    for observer in observers.withLock({ $0 }) { observer(notices) }
  }

  /// Updates the counts after a change of a schedule. Nil means that the schedule didn't exist
  /// before, or doesn't exist afterwards.
  func count(_ former: ScheduleRow?, _ row: ScheduleRow?) {
    state.withLock { state in
      if let former { state.counts[former.state, default: 0] -= 1 }
      if let row { state.counts[row.state, default: 0] += 1 }
      state.bytes = state.bytes.adding(Self.bytes(row)).subtracting(Self.bytes(former))
    }
  }

  private static func bytes(_ row: ScheduleRow?) -> Int64 {
    Int64(clamping: row?.definition.count ?? 0)
  }

  /// Checks the limits of schedules before one is created or changed by a request. Changes at the
  /// same moment aren't counted, so they may exceed a limit.
  /// - Parameter former: nil for a new schedule.
  /// - Throws: `conflict` if a limit would be exceeded. A change that adds nothing is accepted.
  func checkSpace(for row: ScheduleRow, from former: ScheduleRow?) throws(TaskError) {
    let plan = engine.plan
    let (count, bytes) = state.withLock { state in
      (state.counts.values.reduce(Int64(0)) { $0.adding($1) }, state.bytes)
    }
    if former == nil, count >= plan.maxSchedules {
      throw TaskError(
        .conflict,
        "There are \(count) schedules, and at most \(plan.maxSchedules) may be "
          + "(tasks.max_schedules). Remove some that are no longer needed.")
    }
    let growth = Self.bytes(row).subtracting(Self.bytes(former))
    guard growth > 0, bytes.adding(growth) > plan.maxScheduleBytes else { return }
    throw TaskError(
      .conflict,
      "The definitions of schedules would have \(bytes.adding(growth)) bytes, and may have at most "
        + "\(plan.maxScheduleBytes) (tasks.max_schedule_bytes). Remove some, or give this one less."
    )
  }

  /// Reports the result of a durable commit, and queues its tasks. Runs on the writer's thread.
  func settle(_ result: ScheduleFiring.Result, of id: Int64) {
    engine.settle(result.changes)
    engine.interrupt(result.cancelled)
    // An earlier run may have ended between the decision and this call, unseen by `tasksDidChange`.
    if result.hasWaiting { state.withLock { _ = $0.unchecked.insert(id) } }
    publish(result.notices)
  }

  /// Returns the definition of a stored schedule, and the schedule that computes its fire times.
  /// - Throws: `invalid`; for example, if the time zone doesn't exist any more.
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
