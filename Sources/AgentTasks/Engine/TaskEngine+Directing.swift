internal import AgentAssignment
public import AgentStore
internal import Synchronization

extension TaskEngine {
  /// Says for which bot, or which type of bot, a task is from now on. One that a bot has and hasn't
  /// begun is taken from it.
  /// - Parameter also: what is stored in the same transaction.
  public func direct(
    _ id: Int64, to bot: String?, botType: String?, note: String,
    also: @escaping @Sendable (TaskRow, any StoreTransaction) throws -> Void = { _, _ in }
  ) async throws -> TaskRow {
    let ageing = plan.ageing
    return try await change(id, by: "agent", leaseEnds: .withdrawn(note), also: also) {
      life throws(TaskError) in
      try life.direct(to: bot, botType: botType, ageing: ageing, note: note)
    }
  }

  /// Makes a task more urgent, or less.
  /// - Parameter also: what is stored in the same transaction.
  package func raise(
    _ id: Int64, by points: Int,
    also: @escaping @Sendable (TaskRow, any StoreTransaction) throws -> Void
  ) async throws -> TaskRow {
    let ageing = plan.ageing
    return try await change(id, by: "agent", also: also) { life throws(TaskError) in
      var edit = TaskEdit()
      edit.priority = Int64(
        TaskPriority(clamping: Int(clamping: life.row.priority)).raised(by: points).value)
      try life.edit(edit, ageing: ageing)
    }
  }

  /// Whether what is in a lane is for bots.
  package func isForBots(_ lane: String) -> Bool {
    state.withLock { !$0.isOurs(QueueKey(name: lane)) }
  }
}
