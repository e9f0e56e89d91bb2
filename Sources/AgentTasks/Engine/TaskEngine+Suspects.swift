package import AgentStore
internal import AgentSystem

/// Handles suspects: tasks that were starting when the host crashed, and may be the cause.
extension TaskEngine {
  /// The time of a trial in milliseconds. A task that ran this long isn't blamed for a later crash.
  static let trial: Int64 = 1_000
  /// The longest delay of a suspect in milliseconds. Suspects after the sixtieth begin together.
  private static let longestQueue: Int64 = 60_000

  /// Schedules suspects one after the other, a second apart, so that a crash shows its cause.
  package func separateSuspects(_ store: any Store) async throws {
    let moment = now()
    var (next, place) = (Int64(0), Int64(0))
    while true {
      let (from, former) = (next, place)
      let (last, count) = try await commit(store) { transaction in
        let rows = try transaction.tasks.suspects(from: from, limit: 500)
        let transition = TaskTransition(in: transaction, at: moment)
        let changes = try rows.enumerated().compactMap { offset, row -> TaskChange? in
          // The first one needs no delay, because no other begins with it.
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

  /// Clears a suspect when its attempt has run for ``trial``. Returns `nil` for a task that isn't a
  /// suspect. The caller cancels the result when the attempt ends.
  func watchTrial(_ row: TaskRow) -> Task<Void, Never>? {
    guard row.hostEnds > 0, let owner = row.owner else { return nil }
    let lease = TaskLease(task: row.id, attempt: row.attempt, owner: owner)
    return Task(executorPreference: executor) { [self] in
      guard (try? await pause(.milliseconds(Self.trial))) != nil else { return }
      // The attempt may have ended. If this can't be stored, the next crash of the host still
      // counts.
      _ = try? await change(row.id, by: nil) { machine throws(TaskError) in
        try machine.passTrial(lease)
      }
    }
  }
}
