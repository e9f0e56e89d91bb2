internal import AgentStore

/// Types of tasks that bots can do.
struct TypesOfBots: Equatable {
  /// Bots do them at the moment, although the host could.
  var done: Set<String> = []
  /// Some bot is registered for them, however it stands.
  var known: Set<String> = []
}

/// What the engine knows beside the database: all of it can be found there again.
struct EngineState {
  /// Which attempt of which task. One that was cancelled by force may still be on its way to its end
  /// when the next one begins.
  struct AttemptKey: Hashable {
    let task: Int64
    let number: Int64
  }

  /// An attempt that the host makes.
  struct Attempt {
    var work: Task<Void, Never>?
    /// Somebody wants it to stop.
    var isCancelled = false
  }

  /// An attempt that has ended and isn't written down yet.
  struct Ended {
    /// The task as it was when the attempt began.
    let task: TaskRow
    let lease: TaskLease
    let outcome: TaskOutcome
  }

  /// Somebody who waits for a task's end.
  struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<TaskRow?, Never>
  }

  var plan = TaskPlan()
  var store: (any Store)?
  /// The store of a host in safe mode, where tasks are looked at and removed, and nothing is done.
  var safeStore: (any Store)?
  var board = QueueLimits()
  var attempts: [AttemptKey: Attempt] = [:]
  var ended: [Ended] = []
  /// A turn is on its way to the disk.
  var isTurning = false
  /// A write has failed that may have been stored all the same.
  var isUnsure = false
  /// Nothing is begun any more.
  var isStopping = false
  /// Waits until nothing is being done.
  var whenIdle: CheckedContinuation<Void, Never>?
  var waiters: [Int64: [Waiter]] = [:]
  var lastWaiter = 0
  /// How many tasks are dead letters.
  var dead: Int64 = 0
  /// How many have not ended.
  var open: Int64 = 0
  /// When an attempt last began or ended.
  var movedAt: Int64 = .max
  /// What bots do.
  var typesOfBots = TypesOfBots()
  /// Bots are kept, and nobody has said yet which there are.
  var awaitsBots = false
  /// Whether nobody may wait any more: the host ends.
  var endsWaits = false

  /// Who does what, apart from all that changes: it is asked while the board is changed.
  var routing: Routing { Routing(types: plan.types, ofBots: typesOfBots.done) }

  /// The host does what is in a lane.
  func isOurs(_ lane: QueueKey) -> Bool { routing.isOurs(lane) }

  /// Who does which type of task.
  struct Routing {
    let types: [String: TaskType]
    let ofBots: Set<String>

    func isOurs(_ lane: QueueKey) -> Bool {
      lane.bot == nil && !ofBots.contains(lane.type) && types[lane.type]?.executor != nil
    }
  }

  /// What to do next, if anything.
  mutating func nextTurn(
    now: Int64, owner: String, chance: @escaping @Sendable () -> Double
  ) -> WriteBatch? {
    // What is stored is looked at first, where it isn't known, unless nobody will do that any more.
    guard !isTurning, !isUnsure || isStopping, let store else { return nil }
    let requests =
      isStopping ? [] : board.requests(free: plan.slots - attempts.count, now: now)
    guard !requests.isEmpty || !ended.isEmpty else { return nil }
    isTurning = true
    board.reserve(requests)
    defer { ended = [] }
    return WriteBatch(
      store: store, plan: plan, ended: ended, requests: requests,
      free: plan.slots - attempts.count, now: now, owner: owner, chance: chance)
  }
}
