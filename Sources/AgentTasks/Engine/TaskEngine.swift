public import AgentStore
internal import AgentJSON
internal import AgentSystem
internal import Synchronization

/// The task engine. It stores tasks, runs those that the host can run, and handles their leases and
/// time-outs.
///
/// The database has the authoritative state. Every reported change is durable, and the state in
/// memory can be rebuilt from the database. Safe from every thread.
public final class TaskEngine: Sendable {
  /// The level of a log line.
  public enum LogLevel: Sendable { case info, warning, error }

  package let clock: LeaseClock
  let pause: @Sendable (Duration) async throws -> Void
  /// Returns a random number from 0 to 1.
  let randomFraction: @Sendable () -> Double
  /// The executor of the engine's Swift tasks; `nil` for the default executor.
  let executor: (any _Concurrency.TaskExecutor)?
  let log: @Sendable (LogLevel, String) -> Void
  /// The owner in the leases of this run: `host:RUN`.
  let owner: String
  /// The artifacts of tasks; `nil` if this host stores none.
  public let artifactStore: ArtifactStore?
  let state = Mutex(EngineState())
  let wakeTimer: WakeTimer
  let recorders = Mutex<[@Sendable ([TaskChange], any StoreTransaction) throws -> Void]>([])
  /// The metrics of the tasks, in each registry.
  let metrics = Mutex<[TaskMetrics]>([])
  private let planner = Mutex<
    (@Sendable (TaskPlan, _ install: @Sendable (TypesOfBots?) -> Void) -> Void)?
  >(nil)
  private let observers = Mutex<[@Sendable ([TaskChange]) -> Void]>([])
  private let leaseObservers = Mutex<[@Sendable ([StoredLease]) -> Void]>([])

  /// - Parameters:
  ///   - owner: a name for the leases that no other run of the host has.
  ///   - artifacts: the folder for artifacts; `nil` to store none.
  ///   - pause: waits for a duration. Throws when its Swift task is cancelled.
  ///   - now: the clock, in Unix milliseconds.
  ///   - steady: a monotonic clock that shows whether `now` was set; `nil` disables the detection
  ///     of jumps.
  ///   - boot: identifies the start of the machine, from which `steady` counts.
  ///   - randomFraction: returns a random number from 0 to 1, for the jitter of retries.
  ///   - executor: runs the engine's Swift tasks; `nil` for the default executor.
  ///   - log: receives lines for people about the engine itself.
  public init(
    owner: String, artifacts: String? = nil,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    randomFraction: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
    executor: (any _Concurrency.TaskExecutor)? = nil,
    now: @escaping @Sendable () -> Int64, steady: (@Sendable () -> Duration)? = nil,
    boot: String = "",
    log: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.owner = "host:\(owner)"
    self.pause = pause
    self.log = log
    clock = LeaseClock(wall: now, steady: steady, boot: boot)
    (self.randomFraction, self.executor) = (randomFraction, executor)
    wakeTimer = WakeTimer(pause: pause, executor: executor)
    artifactStore = artifacts.map { ArtifactStore(folder: $0, run: owner) }
  }

  /// Applies a plan. Attempts that begin later use it.
  public func apply(_ plan: TaskPlan) {
    let install: @Sendable (TypesOfBots?) -> Void = { types in
      self.state.withLock { state in
        state.plan = plan
        state.typesOfBots = types ?? state.typesOfBots
        let routing = state.routing
        state.queueLimits.route { routing.isOurs($0) }
      }
    }
    if let planner = planner.withLock(\.self) { planner(plan, install) } else { install(nil) }
    flush()
  }

  /// Registers a function that determines the types that bots do under a new plan, before the plan
  /// is in force. Therefore, no task is routed with the new plan and the old types.
  ///
  /// `planner` must call `install` exactly once, with `nil` if it doesn't know the types. Register
  /// it once, before there are bots.
  package func whenApplied(
    _ planner: @escaping @Sendable (TaskPlan, _ install: @Sendable (TypesOfBots?) -> Void) -> Void
  ) {
    self.planner.withLock { $0 = planner }
  }

  /// The current plan.
  public var plan: TaskPlan { state.withLock { $0.plan } }

  /// Registers an observer of durable changes, which are reported in the order of the commits. The
  /// observer runs on the writer's thread and must return quickly.
  public func observe(_ observer: @escaping @Sendable ([TaskChange]) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  /// Registers an observer of the stored leases after a write with an unknown result. A lease that
  /// isn't among them has ended, and ``observe(_:)`` may not have reported that.
  ///
  /// The observer runs on the writer's thread and must return quickly.
  public func observeLeases(_ observer: @escaping @Sendable ([StoredLease]) -> Void) {
    leaseObservers.withLock { $0.append(observer) }
  }

  /// Reports the stored leases. On the writer's thread.
  func report(_ leases: [StoredLease]) {
    for observer in leaseObservers.withLock({ $0 }) { observer(leases) }
  }

  /// Registers a recorder, which is called with changes in the transaction that stores them. Its
  /// writes and the changes are stored together or not at all.
  ///
  /// The recorder runs on the writer's thread. It may be called twice for one transaction. If it
  /// throws, nothing of the transaction is stored.
  public func record(
    _ recorder: @escaping @Sendable ([TaskChange], any StoreTransaction) throws -> Void
  ) {
    recorders.withLock { $0.append(recorder) }
  }

  /// Calls the recorders with changes. Every transaction that changes tasks must call it before it
  /// ends.
  package func record(_ changes: [TaskChange], in transaction: any StoreTransaction) throws {
    if changes.isEmpty { return }
    for recorder in recorders.withLock({ $0 }) { try recorder(changes, transaction) }
  }

  /// Returns the current time in Unix milliseconds.
  func now() -> Int64 { clock.now() }

  /// Returns the time that the machine has run, without the time that it was suspended.
  public static let machineTime: @Sendable () -> Duration = { ClockSample.steady() }

  /// Identifies the start of the machine from which ``machineTime`` counts.
  public static let machineStart: String = ClockSample.boot()

  /// The number of attempts that the host runs now.
  public var running: Int { state.withLock { $0.attempts.count } }

  /// Opens the engine and works until the Swift task is cancelled. Called once.
  public func run(_ store: any Store) async throws {
    try await open(store)
    await work(store)
  }

  /// Requeues tasks that a former run of the host had, and accepts calls from then on. Called once,
  /// before ``work(_:)``, and again after an error of the store.
  public func open(_ store: any Store) async throws {
    // First, because everything below stores times. They must follow a clock that jumps in the
    // meantime, or that was set before the host began.
    observeClock(store)
    try await recallClock(store)
    try await recover(store)
    try await renameFormerKeys(store)
    let (queues, held) = try await store.read {
      (try $0.tasks.queues(), try $0.tasks.leases(from: 0, limit: .max).map(\.queueKey))
    }
    // While calls are still refused, so that nothing changes between the count and the first task.
    try await countDead(store, isAnew: true)
    let moment = now()
    try state.withLock { state in
      guard state.phase.apply(.open(store)) else { throw TaskError.starting }
      state.movedAt = moment
      let routing = state.routing
      for queueKey in held { state.queueLimits.countHeld(queueKey) }
      for queueKey in queues {
        state.queueLimits.queued(queueKey.name, rank: queueKey.head) { routing.isOurs($0) }
      }
    }
  }

  /// Opens the engine only for reading and removing, in safe mode. A task may be the reason why the
  /// host crashed.
  public func openSafely(_ store: any Store) {
    state.withLock { _ = $0.phase.apply(.openSafely(store)) }
  }

  /// Runs tasks until its Swift task is cancelled. Called once, after ``open(_:)``.
  public func work(_ store: any Store) async {
    flush()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.runTimers(store) }
      group.addTask { await self.runRetention(store) }
    }
    await stop(store)
  }

  // MARK: Write batches

  /// Submits the next write batch, which stores the ended attempts and begins further tasks. Does
  /// nothing while a batch is being stored. The end of that batch calls this again.
  package func flush() {
    let moment = now()
    // After `now()`, which detects a jump, and before the rate limits are read, because they count
    // from times in memory.
    moveRates()
    let (turn, next) = state.withLock {
      (
        $0.nextWriteBatch(now: moment, owner: owner, randomFraction: randomFraction),
        $0.queueLimits.nextTime(now: moment)
      )
    }
    take(turn)
    // A task that waits for its rate limit may begin without any other change.
    if let next { wakeTimer.ring(at: next, now: moment) }
  }

  /// Submits a write batch to the store.
  func take(_ turn: WriteBatch?) {
    guard let turn else { return }
    turn.store.submit(.single) { [weak self] transaction in
      try self?.applyJump(in: transaction)
      let result = try turn.run(transaction)
      try self?.record(result.changes, in: transaction)
      return result
    } completion: { [weak self] outcome in
      self?.didFlush(turn, outcome)
    }
  }

  /// Handles the end of a write batch. Called on the writer's thread.
  private func didFlush(_ turn: WriteBatch, _ outcome: Result<WriteBatch.Result, any Error>) {
    switch outcome {
    case .failure(let error):
      log(.warning, "The outcomes of tasks can't be stored; the host retries. \(error)")
      state.withLock { state in
        state.isFlushing = false
        state.queueLimits.release(isDoubtful: Self.isDoubtful(error))
        // The outcomes are put first, because they are older than the others. No outcome may be
        // lost.
        state.ended = turn.ended + state.ended
      }
      failed(error)
      wakeTimer.ring(at: now().adding(1_000), now: now())
    case .success(let result):
      for lease in result.stale {
        log(
          .warning, "The outcome of attempt \(lease.attempt) of task \(lease.task) came too late.")
      }
      let next = state.withLock { state in
        state.isFlushing = false
        state.queueLimits.release()
        for queueKey in result.queues {
          state.queueLimits.took(
            queueKey.count, of: queueKey.name, next: queueKey.next, now: turn.now)
        }
        // Before they start, because the next batch may begin immediately and counts the used
        // slots.
        for change in result.begun {
          state.attempts[change.task.key] = EngineState.Attempt()
        }
        // `reconcile` does nothing while a batch is being stored, so it must be called now.
        return state.needsReconciliation ? turn.now : state.queueLimits.nextTime(now: turn.now)
      }
      if let next { wakeTimer.ring(at: next, now: now()) }
      startApart(result.begun, turn)
      settle(result.changes)
    }
  }

  /// Applies durable changes to memory, resumes waiting calls and calls the observers. Called
  /// exactly once after the commit, on any thread.
  package func settle(_ changes: [TaskChange]) {
    guard !changes.isEmpty else { return flush() }
    var earliest = Int64.max
    let moment = now()
    let waiters = state.withLock { state in
      var waiters: [(EngineState.Waiter, TaskRow)] = []
      let routing = state.routing
      for change in changes {
        state.note(change, now: moment)
        let next = change.task.state
        if change.former?.isHeld == true, !next.isHeld || change.isRemoved {
          state.queueLimits.ended(change.formerKey ?? change.task.queueKey, now: moment)
        }
        if change.isRemoved { continue }
        if next == .queued {
          state.queueLimits.queued(change.task.queueKey, rank: change.task.rank) {
            routing.isOurs($0)
          }
        }
        if let wake = change.task.wake { earliest = min(earliest, wake) }
        if next.isEnded, let waiting = state.waiters.removeValue(forKey: change.task.id) {
          waiters += waiting.map { ($0, change.task) }
        }
      }
      return waiters
    }
    // Outside the lock, because observers and resumed calls take it.
    for (waiter, task) in waiters { waiter.continuation.resume(returning: task) }
    for observer in observers.withLock({ $0 }) { observer(changes) }
    if earliest < .max { wakeTimer.ring(at: earliest, now: now()) }
    flush()
  }
}
