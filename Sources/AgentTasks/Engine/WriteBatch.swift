internal import AgentStore

/// A write of the engine: the ended attempts, and the tasks that begin in their slots. One batch is
/// written at a time. Attempts that end in the meantime are in the next batch, so a busy engine
/// needs few commits.
struct WriteBatch: Sendable {
  let store: any Store
  let plan: TaskPlan
  let ended: [EngineState.Ended]
  let requests: [QueueLimits.Request]
  let free: Int
  let now: Int64
  let owner: String
  let randomFraction: @Sendable () -> Double

  /// The result of a write batch.
  struct Result: Sendable {
    var changes: [TaskChange] = []
    var begun: [TaskChange] = []
    /// The number of tasks taken from each queue, and the rank of its next task.
    var queues: [(name: String, count: Int, next: Int64?)] = []
    /// The leases that had ended, so that their outcomes weren't stored.
    var stale: [TaskLease] = []
  }

  /// Writes the batch. Called on the writer's thread.
  func run(_ transaction: any StoreTransaction) throws -> Result {
    var result = Result()
    let transition = TaskTransition(in: transaction, at: now)
    try end(by: transition, in: transaction.tasks, &result)
    try begin(transaction.tasks, by: transition, &result)
    return result
  }

  /// Stores the ends of attempts. Usually, nothing has changed since they began, so the known ends
  /// are tried first, and a stored row is read only where that fails.
  private func end(
    by transition: TaskTransition, in tasks: any TaskStorage, _ result: inout Result
  ) throws {
    var changes = try transition.end(ended.compactMap(\.step))[...]
    for attempt in ended {
      if attempt.step != nil, let change = changes.popFirst() ?? nil {
        result.changes.append(change)
      } else if let row = try tasks.task(attempt.lease.task),
        let change = try end(attempt, row: row, by: transition)
      {
        result.changes.append(change)
      } else {
        result.stale.append(attempt.lease)
      }
    }
  }

  /// - Returns: `nil` if the attempt isn't the latest one.
  private func end(
    _ attempt: EngineState.Ended, row: TaskRow, by transition: TaskTransition
  ) throws -> TaskChange? {
    do {
      return try transition.apply(to: row) { machine in
        try machine.end(
          attempt.lease, attempt.outcome, randomFraction: randomFraction(), ageing: plan.ageing)
      }
    } catch is TaskError {
      return nil
    }
  }

  /// Begins the first tasks of all requested queues by rank, as many as there are free slots.
  private func begin(
    _ tasks: any TaskStorage, by transition: TaskTransition, _ result: inout Result
  ) throws {
    // The tasks are chosen by the index alone. Whole rows are read only of those that begin.
    var heads: [(queueKey: Int, place: QueuePosition)] = []
    for (queueKey, request) in requests.enumerated() {
      let places = try tasks.places(in: request.queueKey, limit: request.limit + 1)
      heads += places.prefix(request.limit).map { (queueKey, $0) }
      // The extra position contains the rank of the next task.
      result.queues.append((request.queueKey, 0, places.dropFirst(request.limit).first?.rank))
    }
    // The positions of a single queue are sorted already.
    if requests.count > 1 { heads.sort { $0.place < $1.place } }
    var chosen: [(queueKey: Int, task: Int64)] = []
    for (queueKey, place) in heads {
      if chosen.count < free {
        chosen.append((queueKey, place.task))
      } else {
        result.queues[queueKey].next = min(result.queues[queueKey].next ?? .max, place.rank)
      }
    }
    let changes = try transition.begin(tasks.tasks(chosen.map(\.task)), owner: owner)
    var rest = changes.makeIterator()
    var begun = rest.next()
    for (queueKey, task) in chosen where begun?.task.id == task {
      result.queues[queueKey].count += 1
      begun = rest.next()
    }
    result.begun = changes
    result.changes += changes
  }
}
