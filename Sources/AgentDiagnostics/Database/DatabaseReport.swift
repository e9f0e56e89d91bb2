package import AgentJSON
package import AgentStore

/// Whether the agent's database takes writes, as `agent status` shows it.
package struct DatabaseReport: Sendable, Hashable {
  /// OPENING, READY, FULL, FAULTY, CORRUPT or CLOSED.
  package var state: String
  /// Since when nothing can be stored, in Unix milliseconds.
  package var since: Int64?
  /// The obstacle, and what to do about it.
  package var problem: String?

  /// - Parameter condition: nil while the database isn't open yet.
  package init(_ condition: StoreCondition?) {
    state =
      switch condition {
      case nil: "OPENING"
      case .ready: "READY"
      case .full: "FULL"
      case .faulty: "FAULTY"
      case .corrupt: "CORRUPT"
      case .closed: "CLOSED"
      }
    since = condition?.obstacle?.since
    problem = condition?.obstacle?.message
  }

  /// The report as the API gives it.
  package var json: JSONValue {
    [
      "state": .string(state), "since": since.map { JSONValue($0) } ?? .null,
      "problem": problem.map { .string($0) } ?? .null,
    ]
  }
}
