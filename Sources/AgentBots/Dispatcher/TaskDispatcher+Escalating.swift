internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import Synchronization

/// Escalates tasks that no bot accepts, or that are late. A task's row stores the moment of its
/// next escalation, and an index finds it.
extension TaskDispatcher {
  /// The number of tasks in one read.
  private static let maxEscalations = 100
  /// The number of steps of one task before other tasks continue.
  private static let maxSteps = 20

  /// Performs the steps that are due, and wakes the loop for the next one.
  func escalate() async throws {
    let store = try readyStore()
    var seen: Set<Int64> = []
    var isMore = true
    while isMore {
      let moment = now()
      // Else an escalation would be due because the clock was set.
      try await tasks.awaitMoves(in: store)
      let due = try await store.read {
        try $0.tasks.escalations(dueBy: moment, limit: Self.maxEscalations)
      }
      // A task that becomes due again at once would keep this loop running.
      let new = due.filter { seen.insert($0).inserted }
      for id in new {
        // One row at a time is in memory. A row that has changed since may not be due any more.
        guard let row = try await store.read({ try $0.tasks.task(id) }),
          row.escalateAt.map({ $0 <= moment }) ?? false
        else { continue }
        try await escalate(row, at: moment, store)
      }
      isMore = !new.isEmpty && due.count == Self.maxEscalations
    }
    if let next = try await store.read({ try $0.tasks.nextEscalation() }) {
      let moment = now()
      // A task may have changed during its step. It is examined again, with a delay to avoid a busy
      // loop.
      wakeTimer.ring(at: max(next, moment.adding(10)), now: moment)
    }
  }

  /// Performs the due steps of one task, and stores the moment of the next one.
  /// - Parameter moment: from before the row was read, so that both are by the same clock.
  private func escalate(_ row: TaskRow, at moment: Int64, _ store: any Store) async throws {
    guard !row.state.isEnded,
      let policy = EscalationPolicy(TaskDefinition(stored: row.definition).escalation)
    else { return try await look(at: row, again: nil, store) }
    var history = try await history(of: row.id, store)
    var row = row
    for _ in 0..<Self.maxSteps {
      switch policy.next(TaskStateMachine(row, now: moment).situation, history, at: moment) {
      case .done: return try await look(at: row, again: nil, store)
      case .wait(let until): return try await look(at: row, again: until, store)
      case .escalate(let target, let index, let number):
        policy.record(index, at: moment, in: &history)
        let step = EscalationRow(
          task: row.id, step: Int64(clamping: index), count: Int64(clamping: number), last: moment)
        try await carryOut(target, row: row, step: step, store: store)
        guard let next = try await store.read({ [id = row.id] in try $0.tasks.task(id) }),
          !next.state.isEnded
        else { return }
        row = next
      }
    }
    // Further steps may be due. Other tasks continue first.
    wakeTimer.ring()
  }

  /// Reads the steps that were performed: their number and their latest moment.
  private func history(
    of task: Int64, _ store: any Store
  ) async throws -> EscalationPolicy.History {
    let rows = try await store.read { try $0.assignments.escalations(of: task) }
    var (done, last) = ([Int: Int](), [Int: Int64]())
    for row in rows {
      done[Int(clamping: row.step)] = Int(clamping: row.count)
      last[Int(clamping: row.step)] = row.last
    }
    return EscalationPolicy.History(done: done, last: last)
  }

  /// Stores the moment of the next examination, in Unix milliseconds. Nil means none. Does nothing
  /// if the row has changed.
  private func look(at row: TaskRow, again moment: Int64?, _ store: any Store) async throws {
    try await store.write { try $0.tasks.escalate(row, at: moment) }
  }

  /// Returns the reason why a task can't go to the target of its escalation, or nil.
  private func obstacle(_ target: Escalation.Target) -> String? {
    switch target {
    case .bot(let id), .user(let id):
      definition(of: id) == nil ? "there is no bot \(id)" : nil
    case .botType(let type):
      state.withLock { state in state.roster.bots.contains { $0.definition.type == type } }
        ? nil : "no bot of the type \(type.name) is registered"
    case .raise: nil
    }
  }

  /// Performs a step. The change of the task, the record of the step, and its events are in one
  /// transaction.
  /// - Throws: errors after which a retry may succeed. Nothing was stored then.
  private func carryOut(
    _ target: Escalation.Target, row: TaskRow, step: EscalationRow, store: any Store
  ) async throws {
    do {
      if let obstacle = obstacle(target) {
        // The task stays where it is: with an unknown target, no bot would take it.
        throw TaskError(.missing, "\(obstacle); nothing changes.")
      }
      switch target {
      case .bot(let id), .user(let id):
        _ = try await tasks.direct(row.id, to: id, botType: nil, note: "escalated to \(id)") {
          try self.record(step, of: $0, "to \(id)", in: $1)
        }
      case .botType(let type):
        let name = type.name
        _ = try await tasks.direct(row.id, to: nil, botType: name, note: "escalated to a \(name)") {
          try self.record(step, of: $0, "to a bot of the type \(name)", in: $1)
        }
      case .raise(let points):
        _ = try await tasks.raise(row.id, by: points) {
          try self.record(step, of: $0, "by \(points) points of priority", in: $1)
        }
      }
    } catch let error as TaskError where error.code != .notReady {
      // A step that fails counts as performed. Otherwise, it would delay the later steps forever.
      try await store.write { try self.record(step, of: row, "without effect: \(error)", in: $0) }
    }
    wakeTimer.ring()
  }

  private func record(
    _ step: EscalationRow, of task: TaskRow, _ words: String, in transaction: any StoreTransaction
  ) throws {
    try transaction.assignments.put(step)
    let event = Self.trouble(
      "task_escalated",
      [
        "task": .object(TaskReport(task).event), "task_id": .string("\(task.id)"),
        "reason": .string("It is escalated \(words)."), "number": JSONValue(step.count),
      ], about: "\(task.id)", title: "The task \"\(task.name)\" (\(task.id)) is escalated \(words)")
    try record(event, in: transaction)
  }
}
