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
    var begun: [TaskRow] = []
    /// The number of tasks taken from each queue, and the rank of its next task.
    var queues: [(name: String, count: Int, next: Int64?)] = []
    /// The leases that had ended, so that their outcomes weren't stored.
    var stale: [TaskLease] = []
  }

  /// Writes the batch. Called on the writer's thread.
  func run(_ transaction: any StoreTransaction) throws -> Result {
    var result = Result()
    let transition = TaskTransition(in: transaction, at: now)
    for attempt in ended {
      try end(attempt, by: transition, in: transaction.tasks, result: &result)
    }
    try begin(transaction.tasks, by: transition, &result)
    return result
  }

  /// Stores the end of an attempt. Usually, nothing has changed since the attempt began, so the
  /// known row is tried first and the stored row is read only if that fails.
  private func end(
    _ attempt: EngineState.Ended, by transition: TaskTransition, in tasks: any TaskStorage,
    result: inout Result
  ) throws {
    if let change = try end(attempt, row: attempt.task, by: transition) {
      result.changes.append(change)
    } else if let row = try tasks.task(attempt.lease.task),
      let change = try end(attempt, row: row, by: transition)
    {
      result.changes.append(change)
    } else {
      result.stale.append(attempt.lease)
    }
  }

  /// - Returns: `nil` if the task has changed since that row, or the attempt isn't the latest one.
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
    for (count, (queueKey, place)) in heads.enumerated() {
      guard count < free else {
        result.queues[queueKey].next = min(result.queues[queueKey].next ?? .max, place.rank)
        continue
      }
      guard let row = try tasks.task(place.task),
        let change = try transition.apply(to: row, { try $0.begin(owner: owner) })
      else { continue }
      result.queues[queueKey].count += 1
      result.begun.append(change.task)
      result.changes.append(change)
    }
  }
}
