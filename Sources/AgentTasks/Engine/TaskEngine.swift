public import AgentStore
internal import AgentJSON
internal import AgentSystem
internal import Synchronization

/// Keeps tasks, does those that the host can do, and brings each to its end.
///
/// The database is the record: what is told to anybody is durable, and what the engine remembers can
/// be found there again. Safe from every thread.
public final class TaskEngine: Sendable {
  /// How much a line of the log matters.
  public enum LogLevel: Sendable { case info, warning, error }

  package let clock: LeaseClock
  let pause: @Sendable (Duration) async throws -> Void
  /// A number from 0 to 1.
  let chance: @Sendable () -> Double
  /// On what its work is done; nil for the pool of all.
  let executor: (any _Concurrency.TaskExecutor)?
  let log: @Sendable (LogLevel, String) -> Void
  /// Whose the leases of this run of the host are.
  let owner: String
  /// Where the files of tasks lie; nil where none are kept.
  public let shelf: ArtifactStore?
  let state = Mutex(EngineState())
  let bell: WakeTimer
  let recorders = Mutex<[@Sendable ([TaskChange], any StoreTransaction) throws -> Void]>([])
  private let observers = Mutex<[@Sendable ([TaskChange]) -> Void]>([])

  /// - Parameters:
  ///   - owner: a name that no other run of the host has, for its leases.
  ///   - artifacts: the folder for the files that tasks leave; nil where none are kept.
  ///   - pause: waits so long.
  ///   - now: the clock, in Unix milliseconds.
  ///   - steady: a clock that only ever runs forward, by which it is noticed that `now` was set; nil
  ///     where it isn't.
  ///   - boot: which start of the machine `steady` counts from.
  ///   - chance: throws dice for what is to come at different times: a number from 0 to 1.
  ///   - executor: on what its work is done; nil for the pool of all.
  ///   - log: takes what people should know of the work itself.
  public init(
    owner: String, artifacts: String? = nil,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
    executor: (any _Concurrency.TaskExecutor)? = nil,
    now: @escaping @Sendable () -> Int64, steady: (@Sendable () -> Duration)? = nil,
    boot: String = "",
    log: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    (self.owner, self.pause, self.log) = ("host:\(owner)", pause, log)
    clock = LeaseClock(wall: now, steady: steady, boot: boot)
    (self.chance, self.executor) = (chance, executor)
    bell = WakeTimer(pause: pause, executor: executor)
    shelf = artifacts.map { ArtifactStore(folder: $0, run: owner) }
  }

  /// Goes by this plan from now on.
  public func follow(_ plan: TaskPlan) {
    state.withLock { state in
      state.plan = plan
      let routing = state.routing
      state.board.route { routing.isOurs($0) }
    }
    turn()
  }

  /// The plan that is in force.
  public var plan: TaskPlan { state.withLock { $0.plan } }

  /// Calls `observer` with changes once they are durable, in their order; on the thread that stores:
  /// it must be quick.
  public func observe(_ observer: @escaping @Sendable ([TaskChange]) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  /// Calls `recorder` with changes in the transaction that stores them, so that what it stores is there
  /// when they are, and isn't when they aren't. On the thread that stores; when it throws, nothing of
  /// the transaction is stored.
  public func record(
    _ recorder: @escaping @Sendable ([TaskChange], any StoreTransaction) throws -> Void
  ) {
    recorders.withLock { $0.append(recorder) }
  }

  package func record(_ changes: [TaskChange], in transaction: any StoreTransaction) throws {
    if changes.isEmpty { return }
    for recorder in recorders.withLock({ $0 }) { try recorder(changes, transaction) }
  }

  /// Unix milliseconds.
  func now() -> Int64 { clock.now() }

  /// How long the machine has run, without the time that it was suspended.
  public static let machineTime: @Sendable () -> Duration = { ClockReading.steady() }

  /// Which start of the machine that counts from.
  public static let machineStart: String = ClockReading.boot()

  /// How many attempts the host makes now.
  public var running: Int { state.withLock { $0.attempts.count } }

  /// Opens, and works until the task is cancelled. Once.
  public func run(_ store: any Store) async throws {
    try await open(store)
    await work(store)
  }

  /// Takes back what a run of the host before this one had, and answers calls from now on.
  public func open(_ store: any Store) async throws {
    followClock(store)
    try await recallClock(store)
    try await rescue(store)
    try await renameFormerLanes(store)
    let (lanes, held) = try await store.read {
      (try $0.tasks.lanes(), try $0.tasks.held(from: 0, limit: .max).map(\.lane))
    }
    await countDead(store, isAnew: true)
    let moment = now()
    state.withLock { state in
      state.store = store
      state.movedAt = moment
      let routing = state.routing
      for lane in held { state.board.isHeld(lane) }
      for lane in lanes { state.board.queued(lane.name, rank: lane.head) { routing.isOurs($0) } }
    }
  }

  /// Lets tasks be looked at and removed, and nothing else: what is wrong with one of them may be what
  /// the host died of.
  public func openSafely(_ store: any Store) { state.withLock { $0.safeStore = store } }

  /// Does tasks until the task is cancelled. Once it is open.
  public func work(_ store: any Store) async {
    turn()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.keepTime(store) }
      group.addTask { await self.keepTidy(store) }
    }
    await stop(store)
  }

  // MARK: Turns

  /// Writes down what has ended and begins what may begin, unless that is being done already.
  func turn() {
    let moment = now()
    moveRates()
    let (turn, next) = state.withLock {
      ($0.nextTurn(now: moment, owner: owner, chance: chance), $0.board.nextTime(now: moment))
    }
    take(turn)
    // What its rate holds back may come when nothing else happens.
    if let next { bell.ring(at: next, now: moment) }
  }

  func take(_ turn: WriteBatch?) {
    guard let turn else { return }
    turn.store.submit(.single) { [weak self] transaction in
      try self?.followClock(in: transaction)
      let result = try turn.run(transaction.tasks)
      try self?.record(result.changes, in: transaction)
      return result
    } completion: { [weak self] outcome in
      self?.turned(turn, outcome)
    }
  }

  /// On the writer's thread.
  private func turned(_ turn: WriteBatch, _ outcome: Result<WriteBatch.Result, any Error>) {
    switch outcome {
    case .failure(let error):
      log(.warning, "The outcomes of tasks can't be stored; the host retries. \(error)")
      state.withLock { state in
        state.isTurning = false
        state.board.release(isDoubtful: Self.isDoubtful(error))
        state.ended = turn.ended + state.ended
      }
      failed(error)
      bell.ring(at: now().adding(1_000), now: now())
    case .success(let result):
      for lease in result.stale {
        log(
          .warning, "The outcome of attempt \(lease.attempt) of task \(lease.task) came too late.")
      }
      let next = state.withLock { state in
        state.isTurning = false
        state.board.release()
        for lane in result.lanes {
          state.board.took(lane.count, of: lane.name, next: lane.next, now: turn.now)
        }
        for row in result.begun {
          state.attempts[row.key] = EngineState.Attempt()
        }
        // Who wanted to look at what is stored waits for the end of this turn.
        return state.isUnsure ? turn.now : state.board.nextTime(now: turn.now)
      }
      if let next { bell.ring(at: next, now: now()) }
      start(result.begun, turn)
      settle(result.changes)
    }
  }

  /// What follows from changes that are durable now.
  package func settle(_ changes: [TaskChange]) {
    guard !changes.isEmpty else { return turn() }
    var earliest = Int64.max
    let moment = now()
    let waiters = state.withLock { state in
      var waiters: [(EngineState.Waiter, TaskRow)] = []
      let routing = state.routing
      for change in changes {
        state.note(change, now: moment)
        let task = change.task
        if change.former?.isHeld == true, !task.state.isHeld || change.isRemoved {
          state.board.ended(change.formerLane ?? task.lane, now: moment)
        }
        if change.isRemoved { continue }
        if task.state == .queued {
          state.board.queued(task.lane, rank: task.rank) { routing.isOurs($0) }
        }
        if let wake = task.wake { earliest = min(earliest, wake) }
        if task.state.isEnded, let waiting = state.waiters.removeValue(forKey: task.id) {
          waiters += waiting.map { ($0, task) }
        }
      }
      return waiters
    }
    for (waiter, task) in waiters { waiter.continuation.resume(returning: task) }
    for observer in observers.withLock({ $0 }) { observer(changes) }
    if earliest < .max { bell.ring(at: earliest, now: now()) }
    turn()
  }
}
