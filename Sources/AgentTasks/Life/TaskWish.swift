internal import AgentStore

/// What somebody wants to become of a task that is there.
public enum TaskWish: Sendable, Hashable {
  /// It is to be done now.
  case execute
  /// It isn't wanted any more.
  case cancel
}

extension TaskStateMachine {
  /// Somebody asks for it to be done, which waits or has ended.
  mutating func execute(at moment: Int64?, ageing: Int64) throws(TaskError) {
    guard row.state == .waiting || row.state.isEnded else {
      throw TaskError(
        .conflict, "Task \(row.id) is \(row.state.rawValue): it is queued or running already.")
    }
    try ask(at: moment, ageing: ageing)
  }

  /// Somebody doesn't want it any more, which hasn't ended.
  mutating func cancelOnce(isForced: Bool, note: String?) throws(TaskError) {
    guard !row.state.isEnded else {
      throw TaskError(.conflict, "Task \(row.id) is \(row.state.rawValue) already.")
    }
    _ = try cancel(isForced: isForced, note: note)
  }
}
