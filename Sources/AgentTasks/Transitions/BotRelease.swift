internal import AgentStore
internal import AgentSystem

/// Requeues the tasks of a bot that was lost or removed.
struct BotRelease: Sendable {
  let bot: String
  let note: String
  let ageing: Int64
  var losses: LossLimits
  /// Whether the bot is a local one and the host was killed while it had the tasks.
  var hasHostEnded = false
  /// Returns whether the bot keeps a task.
  var spares: @Sendable (TaskRow) -> Bool = { _ in false }

  init(bot: String, note: String, ageing: Int64, losses: LossLimits) {
    (self.bot, self.note) = (bot, note)
    (self.ageing, self.losses) = (ageing, losses)
  }

  /// Requeues one page of the tasks, from a task number on. Called on the writer's thread.
  /// - Returns: the changes, and the first task number of the next page; `nil` after the last page.
  func page(
    from id: Int64, at moment: Int64, in transaction: any StoreTransaction
  ) throws -> (changes: [TaskChange], next: Int64?) {
    let transition = TaskTransition(in: transaction, at: moment, leaseEnds: .withdrawn(note))
    let held = try transaction.tasks.held(by: bot, from: id)
    let changes = try held.filter { $0.owner == bot && !spares($0) }.compactMap { row in
      try transition.apply(to: row) { machine in
        if hasHostEnded {
          try machine.recover(ageing: ageing, losses)
        } else {
          try machine.requeue(ageing: ageing, maxLost: losses.lost, note: note)
        }
      }
    }
    return (changes, held.last.map { $0.id.adding(1) })
  }
}
