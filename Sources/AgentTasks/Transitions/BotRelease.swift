package import AgentStore
internal import AgentSystem

/// Requeues the tasks of a bot that was lost or removed.
package struct BotRelease: Sendable {
  package let bot: String
  /// The reason, which the history of the tasks shows.
  package let note: String
  /// The number of losses after which a task is dead. The plan's number applies if it is less.
  package var maxLost: Int64
  /// Whether the bot is a local one and the host was killed while it had the tasks.
  package var hasHostEnded: Bool
  /// Returns whether the bot keeps a task. It runs on the writer's thread.
  package var spares: @Sendable (TaskRow) -> Bool

  /// Creates a release of all tasks that the bot has when it is stored.
  package init(
    bot: String, note: String, maxLost: Int64 = .max, hasHostEnded: Bool = false,
    sparing spares: @escaping @Sendable (TaskRow) -> Bool = { _ in false }
  ) {
    (self.bot, self.note) = (bot, note)
    (self.maxLost, self.hasHostEnded) = (maxLost, hasHostEnded)
    self.spares = spares
  }

  /// Requeues one page of the tasks, from a task number on. Called on the writer's thread.
  /// - Parameter limits: the plan's numbers of losses.
  /// - Returns: the changes, and the first task number of the next page; `nil` after the last page.
  func page(
    from id: Int64, at moment: Int64, ageing: Int64, limits: LossLimits,
    in transaction: any StoreTransaction
  ) throws -> (changes: [TaskChange], next: Int64?) {
    var losses = limits
    losses.lost = min(losses.lost, maxLost)
    let transition = TaskTransition(in: transaction, at: moment, leaseEnds: .withdrawn(note))
    let held = try transaction.tasks.held(by: bot, from: id)
    let changes = try held.filter { $0.owner == bot && !spares($0) }.compactMap { [losses] row in
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
