internal import AgentStore

/// What the engine writes in one go: which attempts have ended, and which begin in their places.
/// One turn at a time: what ends meanwhile is in the next, so that a busy engine needs few commits.
struct WriteBatch: Sendable {
  let store: any Store
  let plan: TaskPlan
  let ended: [EngineState.Ended]
  let requests: [QueueLimits.Request]
  let free: Int
  let now: Int64
  let owner: String
  let randomFraction: @Sendable () -> Double

  /// What has become of it.
  struct Result: Sendable {
    var changes: [TaskChange] = []
    var begun: [TaskRow] = []
    /// The tasks taken of each queue, and the rank of its next task.
    var queues: [(name: String, count: Int, next: Int64?)] = []
    /// Leases under which nothing could be written any more.
    var stale: [TaskLease] = []
  }

  /// On the writer's thread.
  func run(_ transaction: any StoreTransaction) throws -> Result {
    var result = Result()
    let transition = TaskTransition(in: transaction, at: now)
    for attempt in ended {
      try end(attempt, by: transition, in: transaction.tasks, result: &result)
    }
    try begin(transaction.tasks, by: transition, &result)
    return result
  }

  /// Most often nothing has changed since the attempt began, and what is known of it will do.
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

  /// - Returns: nil if the task has changed since that row, or the attempt isn't its latest.
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

  private func begin(
    _ tasks: any TaskStorage, by transition: TaskTransition, _ result: inout Result
  ) throws {
    // Chosen by what the index has; whole rows are read of those that begin.
    var heads: [(queueKey: Int, place: QueuePosition)] = []
    for (queueKey, request) in requests.enumerated() {
      let places = try tasks.places(in: request.queueKey, limit: request.limit + 1)
      heads += places.prefix(request.limit).map { (queueKey, $0) }
      // The one task too many has the rank of the next.
      result.queues.append((request.queueKey, 0, places.dropFirst(request.limit).first?.rank))
    }
    // The places of a single queue come in order.
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
