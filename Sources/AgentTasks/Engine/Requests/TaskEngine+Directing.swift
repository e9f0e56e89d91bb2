internal import AgentAssignment
public import AgentStore
internal import Synchronization

extension TaskEngine {
  /// Restricts a task to a bot or a type of bot. Another bot that has the task but hasn't begun it
  /// loses it.
  /// - Parameter also: stores further rows in the same transaction.
  public func direct(
    _ id: Int64, to bot: String?, botType: String?, note: String,
    also: @escaping @Sendable (TaskRow, any StoreTransaction) throws -> Void = { _, _ in }
  ) async throws -> TaskRow {
    let ageing = plan.ageing
    return try await change(id, by: "agent", leaseEnds: .withdrawn(note), also: also) {
      machine throws(TaskError) in
      try machine.direct(to: bot, botType: botType, ageing: ageing, note: note)
    }
  }

  /// Raises or lowers the priority of a task.
  /// - Parameter also: stores further rows in the same transaction.
  package func raise(
    _ id: Int64, by points: Int,
    also: @escaping @Sendable (TaskRow, any StoreTransaction) throws -> Void
  ) async throws -> TaskRow {
    let ageing = plan.ageing
    return try await change(id, by: "agent", also: also) { machine throws(TaskError) in
      var edit = TaskEdit()
      edit.priority = Int64(
        TaskPriority(clamping: Int(clamping: machine.row.priority)).raised(by: points).value)
      try machine.edit(edit, ageing: ageing)
    }
  }

  /// Returns whether bots run the tasks of a queue.
  package func isForBots(_ queueKey: String) -> Bool {
    state.withLock { !$0.isOurs(QueueKey(name: queueKey)) }
  }
}
