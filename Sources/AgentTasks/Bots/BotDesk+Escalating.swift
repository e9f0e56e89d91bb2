internal import AgentAssignment
internal import AgentEvents
internal import AgentJSON
internal import AgentStore
internal import Synchronization

/// What happens to tasks that nobody accepts, or that are late.
extension BotDesk {
  /// Watches a task that has an escalation.
  func watch(_ row: TaskRow, _ definition: TaskDefinition) {
    guard !definition.escalation.isEmpty, let policy = EscalationPolicy(definition.escalation)
    else { return }
    let situation = EscalationPolicy.Situation(
      unacceptedSince: row.state == .running ? nil : row.asked ?? row.created, due: row.due)
    state.withLock { state in
      if state.watched[row.id] == nil {
        state.watched[row.id] = DeskState.Watched(
          policy: policy, history: .init(), situation: situation)
        bell.ring()
      } else {
        state.watched[row.id]?.situation = situation
      }
    }
  }

  /// Does what is due, and rings when the next step is.
  func escalate() async throws {
    let watched = state.withLock { $0.watched }
    var next = Int64.max
    for (id, entry) in watched {
      let row: TaskRow
      do { row = try await tasks.task(id) } catch {
        state.withLock { $0.watched[id] = nil }
        continue
      }
      guard !row.state.isEnded else { continue }
      next = min(next, try await escalate(row, entry))
    }
    if next < .max { bell.ring(at: next, now: now()) }
  }

  private func escalate(_ row: TaskRow, _ entry: DeskState.Watched) async throws -> Int64 {
    let rows = try await readyStore().read { try $0.assignments.escalations(of: row.id) }
    var history = EscalationPolicy.History(
      done: Dictionary(uniqueKeysWithValues: rows.map { (Int($0.step), Int($0.count)) }),
      last: Dictionary(uniqueKeysWithValues: rows.map { (Int($0.step), $0.last) }))
    var situation = entry.situation
    if row.state == .running { situation.unacceptedSince = nil }
    while true {
      let moment = now()
      switch entry.policy.next(situation, history, at: moment) {
      case .done: return .max
      case .wait(let until): return until
      case .escalate(let target, let index, let number):
        entry.policy.record(index, at: moment, in: &history)
        let step = EscalationRow(
          task: row.id, step: Int64(index), count: Int64(number), last: moment)
        try await readyStore().write { try $0.assignments.put(step) }
        await carryOut(target, row, number)
      }
    }
  }

  private func carryOut(_ target: Escalation.Target, _ row: TaskRow, _ number: Int) async {
    var words: String
    do {
      switch target {
      case .bot(let id), .user(let id):
        words = "to \(id)"
        _ = try await tasks.direct(row.id, to: id, botType: nil, note: "escalated to \(id)")
      case .botType(let type):
        words = "to a bot of the type \(type.name)"
        _ = try await tasks.direct(
          row.id, to: nil, botType: type.name, note: "escalated to a \(type.name)")
      case .raise(let points):
        words = "by \(points) points of priority"
        var edit = TaskEdit()
        edit.priority = Int64(
          TaskPriority(clamping: Int(clamping: row.priority)).raised(by: points).value)
        _ = try await tasks.update(row.id, edit, by: "agent")
      }
    } catch {
      words = "in vain: \(error)"
    }
    let task = (try? await tasks.task(row.id)) ?? row
    tell(
      "task_escalated",
      [
        "task": .object(TaskReport(task).json), "task_id": .string("\(row.id)"),
        "reason": .string("It is escalated \(words)."), "number": JSONValue(number),
      ], about: "\(row.id)", isTrouble: "The task \"\(row.name)\" (\(row.id)) is escalated \(words)"
    )
    bell.ring()
  }
}
