public import AgentStore
internal import Synchronization

extension EventBus {
  /// Removes from the log what a rule doesn't want kept, in small steps between which others write.
  /// What a durable consumer hasn't acknowledged yet is kept.
  /// - Parameter rule: the rule for a type.
  /// - Returns: how many events were removed.
  public func retain(_ rule: @Sendable (_ type: String) -> EventRetentionRule) async throws -> Int {
    try await advanceIdleConsumers()
    let log = try await log()
    let (types, needed) = try await log.read { snapshot in
      (try snapshot.events.types(), try snapshot.consumers.oldestPosition())
    }
    let moment = now()
    var removed = 0
    for summary in types {
      var rule = rule(summary.type)
      rule.keepsAfter = needed
      removed += try await apply(rule, to: log, now: moment)
    }
    return removed
  }

  private func apply(
    _ rule: EventRetentionRule, to log: any Store, now moment: Int64
  ) async throws -> Int {
    var removed = 0
    while true {
      let step = try await log.write(.freeing) { transaction in
        try transaction.events.retain(rule, now: moment, limit: 1000)
      }
      removed += step.count
      if step.isFinished || Task.isCancelled { return removed }
    }
  }

  /// What the log holds, by type, sorted by name.
  public func types() async throws -> [EventTypeSummary] {
    try await log().read { try $0.events.types() }
  }
}
