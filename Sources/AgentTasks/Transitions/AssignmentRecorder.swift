package import AgentStore

/// The reason why a bot's lease ends, if the row of the task doesn't contain it.
package enum LeaseEnd: Sendable {
  /// The bot reports the end of its attempt.
  case completed
  /// The bot rejects the task for this reason.
  case rejected(String)
  /// The bot's acceptance or heartbeat is overdue.
  case overdue
  /// A person, the host or another component ends the lease. The text is the note.
  case withdrawn(String)
}

/// Updates the assignments of tasks. Every caller writes the task and the assignment in one
/// transaction, so that neither is stored without the other.
package enum AssignmentRecorder {
  /// Updates the assignment of a lease after a transition of its task from `former` to `task`. Does
  /// nothing if a bot's lease neither began nor ended.
  package static func record(
    _ former: TaskRow, to task: TaskRow, end: LeaseEnd, at now: Int64,
    in assignments: any AssignmentStorage
  ) throws {
    // The host has leases too, as "host:…", but only a bot's lease has an assignment.
    guard former.state.isHeld, let bot = former.bot, former.owner == bot else { return }
    // An assignment by hand moves a task from one bot to another in one transition. The task is
    // held before and after, so only the attempt and the owner show that this lease has ended.
    let isHeld = task.state.isHeld && task.attempt == former.attempt && task.owner == bot
    // Heartbeats and edits don't change the state, so the assignment isn't changed either.
    guard !isHeld || former.state != task.state else { return }
    guard var row = try assignments.assignment(task: task.id, attempt: former.attempt),
      !row.state.isEnded
    else { return }
    if isHeld {
      (row.state, row.accepted) = (.accepted, now)
    } else {
      row.ended = now
      close(&row, task: task, end: end)
    }
    try assignments.update(row)
  }

  private static func close(_ row: inout AssignmentRow, task: TaskRow, end: LeaseEnd) {
    switch end {
    case .completed:
      row.state =
        switch task.state {
        case .succeeded: .completed
        // The bot stopped because it was asked to. That isn't a failure of the bot.
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
