package import AgentJSON
package import AgentStore

/// The state of the agent's database.
package enum DatabaseState: String, Sendable, CaseIterable, Codable {
  case opening = "OPENING"
  /// The database accepts writes.
  case ready = "READY"
  /// The disk is full, or the database has reached its size limit.
  case full = "FULL"
  /// The file can't be read or written at the moment.
  case faulty = "FAULTY"
  /// Its file is damaged.
  case corrupt = "CORRUPT"
  case closed = "CLOSED"
}

/// The state of the agent's database, as `agent status` shows it.
package struct DatabaseReport: Sendable, Hashable {
  package var state: DatabaseState
  /// The time since which nothing can be stored, in Unix milliseconds.
  package var since: Int64?
  /// The problem and its remedy.
  package var problem: String?

  /// - Parameter condition: the condition of the store. `nil` while the database isn't open yet.
  package init(_ condition: StoreCondition?) {
    state =
      switch condition {
      case nil: .opening
      case .ready: .ready
      case .full: .full
      case .faulty: .faulty
      case .corrupt: .corrupt
      case .closed: .closed
      }
    since = condition?.obstacle?.since
    problem = condition?.obstacle?.message
  }

  /// The report in the form of the API.
  package var json: JSONValue {
    [
      "state": .string(state.rawValue), "since": since.map { JSONValue($0) } ?? .null,
      "problem": problem.map { .string($0) } ?? .null,
    ]
  }
}
