public import AgentStore
internal import Synchronization

extension TaskEngine {
  /// Says for which bot, or which type of bot, a task is from now on. One that a bot has and hasn't
  /// begun is taken from it.
  public func direct(
    _ id: Int64, to bot: String?, botType: String?, note: String
  ) async throws -> TaskRow {
    let ageing = plan.ageing
    return try await change(id, by: "agent", leaseEnds: .withdrawn(note)) {
      life throws(TaskError) in
      try life.direct(to: bot, botType: botType, ageing: ageing, note: note)
    }
  }

  /// Whether what is in a lane is for bots.
  func isForBots(_ lane: String) -> Bool {
    state.withLock { !$0.isOurs(TaskLane(name: lane)) }
  }
}
