internal import AgentStore

/// The action that an update requests besides its edit.
public enum TaskWish: Sendable, Hashable {
  /// Queue the task now.
  case execute
  /// Cancel the task.
  case cancel
}

extension TaskStateMachine {
  /// Queues or schedules a task that waits or has ended.
  /// - Throws: `conflict` in every other state.
  mutating func execute(at moment: Int64?, ageing: Int64) throws(TaskError) {
    guard row.state == .waiting || row.state.isEnded else {
      throw TaskError(
        .conflict, "Task \(row.id) is \(row.state.rawValue): it is queued or running already.")
    }
    try ask(at: moment, ageing: ageing)
  }

  /// Cancels a task that hasn't ended.
  /// - Throws: `conflict` if it has ended.
  mutating func cancelOnce(isForced: Bool, note: String?) throws(TaskError) {
    guard !row.state.isEnded else {
      throw TaskError(.conflict, "Task \(row.id) is \(row.state.rawValue) already.")
    }
    _ = try cancel(isForced: isForced, note: note)
  }
}
