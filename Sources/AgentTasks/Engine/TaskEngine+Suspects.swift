package import AgentStore
internal import AgentSystem

/// Suspects: tasks that were starting when the host ended, and may be the cause.
extension TaskEngine {
  /// In milliseconds. A task that has run this long isn't the cause when the host ends later.
  static let trial: Int64 = 1_000
  /// In milliseconds. Suspects beyond the sixtieth begin together after this time.
  private static let longestQueue: Int64 = 60_000

  /// Schedules suspects one after the other, a second apart.
  package func separateSuspects(_ store: any Store) async throws {
    let moment = now()
    var (next, place) = (Int64(0), Int64(0))
    while true {
      let (from, former) = (next, place)
      let (last, count) = try await commit(store) { transaction in
        let rows = try transaction.tasks.suspects(from: from, limit: 500)
        let transition = TaskTransition(in: transaction, at: moment)
        let changes = try rows.enumerated().compactMap { offset, row -> TaskChange? in
          // The first one needn't wait: no other begins with it.
          let wait = Self.trial.multiplied(former.adding(Int64(offset)))
          guard wait > 0 else { return nil }
          return try transition.apply(to: row) {
            try $0.waitApart(min(wait, Self.longestQueue))
          }
        }
        return (changes, (rows.last?.id, Int64(rows.count)))
      }
      guard let last else { return }
      (next, place) = (last.adding(1), place.adding(count))
    }
  }

  /// Clears a suspect once its attempt has run for ``trial``; nil for a task that isn't one. The
  /// caller cancels it when the attempt ends.
  func watchTrial(_ row: TaskRow) -> Task<Void, Never>? {
    guard row.hostEnds > 0, let owner = row.owner else { return nil }
    let lease = TaskLease(task: row.id, attempt: row.attempt, owner: owner)
    return Task(executorPreference: executor) { [self] in
      guard (try? await pause(.milliseconds(Self.trial))) != nil else { return }
      // The attempt may have ended. If it can't be stored, the next end of the host still counts.
      _ = try? await change(row.id, by: nil) { machine throws(TaskError) in
        try machine.passTrial(lease)
      }
    }
  }
}
