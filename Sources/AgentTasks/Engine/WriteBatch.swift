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
  func run(_ tasks: any TaskStorage) throws -> Result {
    var result = Result()
    for attempt in ended { try end(attempt, in: tasks, result: &result) }
    try begin(tasks, &result)
    return result
  }

  /// Most often nothing has changed since the attempt began, and what is known of it will do.
  private func end(
    _ attempt: EngineState.Ended, in tasks: any TaskStorage, result: inout Result
  ) throws {
    if try end(attempt, row: attempt.task, in: tasks, result: &result) { return }
    if let row = try tasks.task(attempt.lease.task),
      try end(attempt, row: row, in: tasks, result: &result)
    {
      return
    }
    result.stale.append(attempt.lease)
  }

  /// - Returns: whether that was the task as it is now, and the attempt its latest.
  private func end(
    _ attempt: EngineState.Ended, row: TaskRow, in tasks: any TaskStorage, result: inout Result
  ) throws -> Bool {
    var machine = TaskStateMachine(row, now: now)
    do throws(TaskError) {
      try machine.end(
        attempt.lease, attempt.outcome, randomFraction: randomFraction(), ageing: plan.ageing)
    } catch {
      return false
    }
    guard try tasks.update(machine.row, from: row) else { return false }
    result.changes.append(TaskChange(row, machine.row))
    return true
  }

  private func begin(_ tasks: any TaskStorage, _ result: inout Result) throws {
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
      guard let row = try tasks.task(place.task) else { continue }
      var machine = TaskStateMachine(row, now: now)
      try machine.begin(owner: owner)
      guard try tasks.update(machine.row, from: row) else { continue }
      result.queues[queueKey].count += 1
      result.begun.append(machine.row)
      result.changes.append(TaskChange(row, machine.row))
    }
  }
}
