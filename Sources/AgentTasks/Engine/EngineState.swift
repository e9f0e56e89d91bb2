internal import AgentStore

/// Task types that bots do.
package struct TypesOfBots: Equatable, Sendable {
  /// Types that bots do now, even if the host could.
  package var done: Set<String> = []
  /// Types for which a bot is registered, whatever its status.
  package var known: Set<String> = []

  /// No types.
  package init() {}

  /// Makes the types.
  package init(done: Set<String>, known: Set<String>) { (self.done, self.known) = (done, known) }
}

/// What the engine keeps in memory. All of it can be rebuilt from the database.
struct EngineState {
  /// An attempt of a task. The number is part of the key, since an attempt that was cancelled by
  /// force may still be running when the next one begins.
  struct AttemptKey: Hashable {
    let task: Int64
    let number: Int64
  }

  /// An attempt of the host.
  struct Attempt {
    var work: Task<Void, Never>?
    var isCancelled = false
  }

  /// An attempt that has ended and isn't stored yet.
  struct Ended {
    /// The task as it was when the attempt began.
    let task: TaskRow
    let lease: TaskLease
    let outcome: TaskOutcome
  }

  /// A call that waits for a task's end.
  struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<TaskRow?, Never>
  }

  var plan = TaskPlan()
  var phase = ServicePhase.starting
  var queueLimits = QueueLimits()
  var attempts: [AttemptKey: Attempt] = [:]
  var ended: [Ended] = []
  /// A write batch is being stored.
  var isFlushing = false
  /// A write has failed that may have been stored nevertheless.
  var needsReconciliation = false
  /// Resumed once no attempt runs.
  var whenIdle: CheckedContinuation<Void, Never>?
  var waiters: [Int64: [Waiter]] = [:]
  var lastWaiter = 0
  /// The number of dead tasks.
  var dead: Int64 = 0
  /// The number of tasks that haven't ended.
  var open: Int64 = 0
  var movedAt: Int64 = .max
  var typesOfBots = TypesOfBots()
  /// A dispatcher exists and hasn't said yet which bots there are.
  var awaitsBots = false
  /// Whether waits for tasks end at once, because the host ends.
  var endsWaits = false

  /// A copy of what decides who runs a task: the closure that asks it runs while the queues,
  /// another part of this value, are being changed.
  var routing: Routing { Routing(types: plan.types, ofBots: typesOfBots.done) }

  /// Whether the host runs the tasks of a queue.
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

  /// The next write batch; nil if there is nothing to write or one is being stored. The caller
  /// submits it; until it ends, no other begins.
  mutating func nextWriteBatch(
    now: Int64, owner: String, randomFraction: @escaping @Sendable () -> Double
  ) -> WriteBatch? {
    // After a doubtful write, reconciling comes first, unless the host ends and nobody reconciles.
    guard !isFlushing, !needsReconciliation || phase.isStopping,
      let store = phase.openStore
    else { return nil }
    let requests =
      phase.isStopping ? [] : queueLimits.requests(free: plan.slots - attempts.count, now: now)
    guard !requests.isEmpty || !ended.isEmpty else { return nil }
    isFlushing = true
    queueLimits.reserve(requests)
    // `didFlush` puts them back if the batch fails.
    defer { ended = [] }
    return WriteBatch(
      store: store, plan: plan, ended: ended, requests: requests,
      free: plan.slots - attempts.count, now: now, owner: owner, randomFraction: randomFraction)
  }
}
