package import AgentJSON
package import AgentStore

/// The state of the agent's database.
package enum DatabaseState: String, Sendable, CaseIterable, Codable {
  case opening = "OPENING"
  /// It takes writes.
  case ready = "READY"
  /// The disk, or the database's limit, has no room.
  case full = "FULL"
  /// Its file can't be read or written at present.
  case faulty = "FAULTY"
  /// Its file is damaged.
  case corrupt = "CORRUPT"
  case closed = "CLOSED"
}

/// Whether the agent's database takes writes, as `agent status` shows it.
package struct DatabaseReport: Sendable, Hashable {
  package var state: DatabaseState
  /// Since when nothing can be stored, in Unix milliseconds.
  package var since: Int64?
  /// The obstacle, and what to do about it.
  package var problem: String?

  /// - Parameter condition: nil while the database isn't open yet.
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

  /// The report as the API gives it.
  package var json: JSONValue {
    [
      "state": .string(state.rawValue), "since": since.map { JSONValue($0) } ?? .null,
      "problem": problem.map { .string($0) } ?? .null,
    ]
  }
}
