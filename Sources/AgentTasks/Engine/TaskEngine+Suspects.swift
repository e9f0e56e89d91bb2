package import AgentStore
internal import AgentSystem

/// Handles suspects: tasks that were running when the host crashed, and may be the cause.
extension TaskEngine {
  /// The time between the starts of two suspects in milliseconds.
  private static let distance: Int64 = 1_000
  /// The longest delay of a suspect in milliseconds. Suspects after the sixtieth begin together.
  private static let longestQueue: Int64 = 60_000

  /// Schedules suspects one after the other, a second apart, so that a crash shows which of them ends
  /// the host as it begins.
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
          let wait = Self.distance.multiplied(former.adding(Int64(offset)))
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
}
