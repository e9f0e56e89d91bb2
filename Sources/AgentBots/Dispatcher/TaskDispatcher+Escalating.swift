internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import Synchronization

/// Escalates tasks that nobody accepts, or that are late. The moment of the next look at one is
/// in its row, where an index finds it: nobody has to have seen it before.
extension TaskDispatcher {
  /// The tasks that are looked at in one go.
  private static let maxEscalations = 100
  /// The steps of one task that are done in one go, before other tasks continue.
  private static let maxSteps = 20

  /// Does what is due, and rings when the next step is.
  func escalate() async throws {
    let store = try readyStore()
    var seen: Set<Int64> = []
    var isMore = true
    while isMore {
      let moment = now()
      let due = try await store.read {
        try $0.tasks.escalations(dueBy: moment, limit: Self.maxEscalations)
      }
      // A task that is due again at once would keep this from ever ending.
      let new = due.filter { seen.insert($0).inserted }
      for id in new {
        // One row at a time is in memory. What has changed since isn't due any more.
        guard let row = try await store.read({ try $0.tasks.task(id) }),
          row.escalateAt.map({ $0 <= moment }) ?? false
        else { continue }
        try await escalate(row, store)
      }
      isMore = !new.isEmpty && due.count == Self.maxEscalations
    }
    if let next = try await store.read({ try $0.tasks.nextEscalation() }) {
      let moment = now()
      // One that has just changed under it is looked at again, but not at once for ever.
      wakeTimer.ring(at: max(next, moment.adding(10)), now: moment)
    }
  }

  private func escalate(_ row: TaskRow, _ store: any Store) async throws {
    guard !row.state.isEnded,
      let policy = EscalationPolicy(TaskDefinition(stored: row.definition).escalation)
    else { return try await look(at: row, again: nil, store) }
    var history = try await history(of: row.id, store)
    var row = row
    for _ in 0..<Self.maxSteps {
      let moment = now()
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
    // Further steps may be due: they wait until other tasks have had theirs.
    wakeTimer.ring()
  }

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

  private func look(at row: TaskRow, again moment: Int64?, _ store: any Store) async throws {
    try await store.write { try $0.tasks.escalate(row, at: moment) }
  }

  /// Why a task can't go to the target of its escalation; nil where it can.
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

  /// One commit stores what a step does to the task, that it was done, and its events.
  /// - Throws: what can be tried again; nothing was done then.
  private func carryOut(
    _ target: Escalation.Target, row: TaskRow, step: EscalationRow, store: any Store
  ) async throws {
    do {
      if let obstacle = obstacle(target) {
        // It stays with whoever has it: nobody else would take it.
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
      // A step that can't be done counts as done: retried, it would keep the later steps waiting.
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
