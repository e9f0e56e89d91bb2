package import AgentStore

/// Why a bot hasn't a task any more, as far as the task itself doesn't say it.
package enum LeaseEnd: Sendable {
  /// The bot says that its attempt is over.
  case completed
  /// The bot doesn't want it.
  case rejected(String)
  /// The bot wasn't heard of in time.
  case overdue
  /// Somebody else wants it so.
  case withdrawn(String)
}

/// Keeps assignments in step with tasks: what a change of a task means for who has it is written in
/// the transaction of the change, so that neither is ever there without the other.
package enum AssignmentLedger {
  package static func follow(
    _ former: TaskRow, _ task: TaskRow, _ end: LeaseEnd, at now: Int64,
    _ assignments: any AssignmentStorage
  ) throws {
    guard former.state.isHeld, let bot = former.bot, former.owner == bot else { return }
    let isHeld = task.state.isHeld && task.attempt == former.attempt && task.owner == bot
    guard !isHeld || former.state != task.state else { return }
    guard var row = try assignments.assignment(task: task.id, attempt: former.attempt),
      !row.state.isEnded
    else { return }
    if isHeld {
      (row.state, row.accepted) = (.accepted, now)
    } else {
      row.ended = now
      close(&row, task, end)
    }
    try assignments.update(row)
  }

  private static func close(_ row: inout AssignmentRow, _ task: TaskRow, _ end: LeaseEnd) {
    switch end {
    case .completed:
      row.state =
        switch task.state {
        case .succeeded: .completed
        case .cancelled: .withdrawn
        default: .failed
        }
      row.result = task.result
    case .rejected(let reason): (row.state, row.note) = (.rejected, reason)
    case .overdue:
      row.state = .timedOut
      row.note =
        row.accepted == nil ? "There was no answer in time." : "There was no heartbeat in time."
    case .withdrawn(let note): (row.state, row.note) = (.withdrawn, note.isEmpty ? nil : note)
    }
  }
}
