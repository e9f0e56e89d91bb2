package import AgentStore
internal import AgentSystem

/// Tasks by which the host may have ended.
extension TaskEngine {
  /// A task that was begun and goes on for so long isn't the reason when the host ends later.
  static let trial: Int64 = 1_000
  /// Those that are begun apart from each other have begun within so many milliseconds, all of them.
  private static let longestQueue: Int64 = 60_000

  /// Lets tasks during whose beginning the host has ended begin one after the other.
  package func separateSuspects(_ store: any Store) async throws {
    let moment = now()
    var (next, place) = (Int64(0), Int64(0))
    while true {
      let (from, former) = (next, place)
      let (changes, last, count) = try await store.write { [self] transaction in
        let rows = try transaction.tasks.suspects(from: from, limit: 500)
        var changes: [TaskChange] = []
        for (offset, row) in rows.enumerated() {
          // The first of them begins at once.
          let wait = Self.trial.multiplied(former.adding(Int64(offset)))
          guard wait > 0 else { continue }
          var life = TaskStateMachine(row, now: moment)
          try life.waitApart(min(wait, Self.longestQueue))
          if try transaction.tasks.update(life.row, from: row) {
            changes.append(TaskChange(row, life.row))
          }
        }
        try record(changes, in: transaction)
        return (changes, rows.last?.id, Int64(rows.count))
      }
      settle(changes)
      guard let last else { return }
      (next, place) = (last.adding(1), place.adding(count))
    }
  }

  /// Waits until an attempt has gone on for long enough, and then clears its task of suspicion.
  func watchTrial(_ row: TaskRow) -> Task<Void, Never>? {
    guard row.hostEnds > 0, let owner = row.owner else { return nil }
    let lease = TaskLease(task: row.id, attempt: row.attempt, owner: owner)
    return Task(executorPreference: executor) { [self] in
      guard (try? await pause(.milliseconds(Self.trial))) != nil else { return }
      // It may have ended meanwhile; otherwise the next end of the host is counted, no more.
      _ = try? await change(row.id, by: nil) { life throws(TaskError) in
        try life.passTrial(lease)
      }
    }
  }
}
