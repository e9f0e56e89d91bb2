internal import AgentStore

/// The task types that bots do.
package struct TypesOfBots: Equatable, Sendable {
  /// The types that bots do now, even if the host could.
  package var done: Set<String> = []
  /// The types for which a bot is registered, whatever its status.
  package var known: Set<String> = []

  /// Creates an empty set of types.
  package init() {}

  /// Creates the sets of types.
  package init(done: Set<String>, known: Set<String>) { (self.done, self.known) = (done, known) }
}

/// The engine's state in memory. All of it can be rebuilt from the database.
/// It is protected by the lock of the engine.
struct EngineState {
  /// The key of an attempt. It contains the number, because an attempt that was cancelled by force
  /// may still run when the next one begins.
  struct AttemptKey: Hashable {
    let task: Int64
    let number: Int64
  }

  /// A running attempt of the host.
  struct Attempt {
    var work: Task<Void, Never>?
    var isCancelled = false
  }

  /// An attempt that has ended but isn't stored yet.
  struct Ended {
    let lease: TaskLease
    let outcome: TaskOutcome
    /// The end of the task as its row was when the attempt began; `nil` if it can't end so.
    let step: TaskStep?

    var key: AttemptKey { AttemptKey(task: lease.task, number: lease.attempt) }

    /// The end of an attempt that was cancelled before it started.
    static func cancelled(_ task: TaskRow, owner: String) -> Ended {
      let lease = TaskLease(task: task.id, attempt: task.attempt, owner: owner)
      return Ended(lease: lease, outcome: .cancelled(), step: nil)
    }
  }

  /// A call that waits for the end of a task.
  struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<TaskRow?, Never>
  }

  var plan = TaskPlan()
  var phase = ServicePhase.starting
  var queueLimits = QueueLimits()
  var attempts: [AttemptKey: Attempt] = [:]
  var ended: [Ended] = []
  /// Whether a write batch is being stored.
  var isFlushing = false
  /// Whether a write reported an error but may have been stored nevertheless.
  var needsReconciliation = false
  /// The files of artifacts whose rows such a write has changed, until the rows are read again.
  var doubtfulFiles: [TaskArtifact] = []
  /// The continuation that is resumed when no attempt runs.
  var whenIdle: CheckedContinuation<Void, Never>?
  var waiters: [Int64: [Waiter]] = [:]
  var lastWaiter = 0
  /// The number of dead tasks.
  var dead: Int64 = 0
  /// The number of tasks that haven't ended.
  var open: Int64 = 0
  /// The bytes of ended tasks, logs and artifacts after the last round of retention.
  var sizes = TaskSizes()
  var movedAt: Int64 = .max
  var typesOfBots = TypesOfBots()
  /// Whether a dispatcher is starting and hasn't reported its bots yet.
  var awaitsBots = false
  /// Whether calls that wait for tasks return at once, because the host ends.
  var endsWaits = false

  /// A copy of the values that decide whether the host runs a task. It is a copy, because the
  /// queues, another part of this value, call the closure that uses it while they are being
  /// changed.
  var routing: Routing { Routing(types: plan.types, ofBots: typesOfBots.done) }

  /// Returns whether the host runs the tasks of a queue.
  func isOurs(_ queueKey: QueueKey) -> Bool { routing.isOurs(queueKey) }

  /// Decides whether the host or bots run a task.
  struct Routing {
    let types: [String: TaskType]
    let ofBots: Set<String>

    func isOurs(_ queueKey: QueueKey) -> Bool {
      queueKey.bot == nil && !ofBots.contains(queueKey.type)
        && types[queueKey.type]?.executor != nil
    }
  }

  /// Returns the next write batch, or `nil` if there is nothing to write or another batch is being
  /// stored. The caller submits it. Until it ends, no other batch begins.
  mutating func nextWriteBatch(
    now: Int64, owner: String, randomFraction: @escaping @Sendable () -> Double
  ) -> WriteBatch? {
    // After a write with an unknown result, the state is reconciled first. When the host ends, no
    // reconciliation follows, so the batch begins nevertheless.
    guard !isFlushing, !needsReconciliation || phase.isStopping,
      let store = phase.openStore
    else { return nil }
    // A host that ends stores its results but begins no tasks.
    let requests =
      phase.isStopping ? [] : queueLimits.requests(free: plan.slots - attempts.count, now: now)
    guard !requests.isEmpty || !ended.isEmpty else { return nil }
    isFlushing = true
    queueLimits.reserve(requests)
    // `didFlush` restores them if the batch fails.
    defer { ended = [] }
    return WriteBatch(
      store: store, plan: plan, ended: ended, requests: requests,
      free: plan.slots - attempts.count, now: now, owner: owner, randomFraction: randomFraction)
  }
}
