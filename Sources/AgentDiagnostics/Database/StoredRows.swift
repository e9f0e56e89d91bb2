internal import AgentAssignment
internal import AgentBots
internal import AgentJSON
internal import AgentScheduler
package import AgentStore
internal import AgentTasks

/// Finds rows of tasks, bots and schedules that can't be read.
///
/// Rationale: the host skips such a row, or its unreadable parts, so that the other rows aren't
/// affected. This check names the row to a person.
package enum StoredRows {
  /// A row that can't be read.
  package struct Problem: Sendable, Hashable {
    /// `tasks`, `bots` or `schedules`.
    package let table: String
    /// The number or the id of the row.
    package let id: String
    /// The problem, as the end of a sentence with "its".
    package let reason: String
  }

  /// The number of rows of a read. It is small, so that no reader is occupied for long.
  private static let page = 500

  /// Returns the first problems, by table and number.
  /// - Parameter limit: the largest number of problems.
  package static func problems(in store: any Store, limit: Int = 100) async throws -> [Problem] {
    var problems = try await bots(in: store) + schedules(in: store)
    var after: Int64 = 0
    while problems.count < limit {
      try Task.checkCancellation()
      // A copy, because the closure is sent to the store's thread.
      let place = after
      let (found, last) = try await store.read { snapshot in
        let states = try snapshot.tasks.storedStates(after: place, limit: page)
        let found = states.compactMap { problem(with: $0, in: snapshot.tasks) }
        return (found, states.last?.id)
      }
      problems += found
      guard let last else { break }
      after = last
    }
    return Array(problems.prefix(limit))
  }

  // MARK: Tasks

  private static func problem(
    with stored: StoredTaskState, in tasks: any TaskReader
  ) -> Problem? {
    func problem(_ reason: String) -> Problem {
      Problem(table: "tasks", id: "\(stored.id)", reason: reason)
    }
    guard TaskRow.State(rawValue: stored.state) != nil else {
      return problem("state is \"\(stored.state.prefix(40))\", which no task has")
    }
    do {
      guard let row = try tasks.task(stored.id) else { return nil }
      return reason(against: row).map(problem)
    } catch {
      return problem("row can't be read: \(error)")
    }
  }

  private static func reason(against row: TaskRow) -> String? {
    if JSONValue(stored: row.definition)?.object == nil {
      return "definition isn't a JSON object"
    }
    for (name, bytes) in [("progress", row.progress), ("result", row.result)] {
      if let bytes, JSONValue(stored: bytes) == nil { return "\(name) isn't JSON" }
    }
    for (name, text) in [("type", row.type), ("name", row.name)] {
      if let problem = NameCheck.problem(text, at: name) { return problem }
    }
    return nil
  }

  // MARK: Bots and schedules

  private static func bots(in store: any Store) async throws -> [Problem] {
    try await store.read { snapshot in
      var problems: [Problem] = []
      try snapshot.bots.forEachBot { row in
        guard Bot(row, types: [], heardOf: nil) == nil else { return }
        problems.append(
          Problem(table: "bots", id: row.id, reason: "definition isn't that of a bot"))
      }
      return problems
    }
  }

  private static func schedules(in store: any Store) async throws -> [Problem] {
    try await store.read { try $0.schedules.schedules(ScheduleSelection(limit: .max)) }
      .compactMap { row in
        do throws(TaskError) {
          _ = try ScheduleDefinition(stored: row.definition)
          return nil
        } catch {
          return Problem(
            table: "schedules", id: "\(row.id)",
            reason: "definition can't be read: \(error.message)")
        }
      }
  }
}
