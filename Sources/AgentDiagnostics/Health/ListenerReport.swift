package import AgentJSON

/// Whether a port of the host is open.
package enum ListenerState: String, Sendable, CaseIterable, Codable {
  case starting = "STARTING"
  case listening = "LISTENING"
  /// It can't be opened. The host tries again.
  case failed = "FAILED"
}

/// A port of the host as `agent status` shows it.
package struct ListenerReport: Sendable, Hashable {
  /// The setting that asks for it, such as `events.tcp`.
  package var name: String
  /// Where it is open, or shall be.
  package var address: String
  package var state: ListenerState
  /// Why it isn't open.
  package var problem: String?
  /// How many clients are connected.
  package var connections: Int
  /// How many events were stored since it was opened.
  package var accepted: Int
  /// How many lines were refused.
  package var refused: Int

  /// Describes a port.
  package init(
    name: String, address: String, state: ListenerState, problem: String? = nil,
    connections: Int = 0,
    accepted: Int = 0, refused: Int = 0
  ) {
    self.name = name
    self.address = address
    self.state = state
    self.problem = problem
    self.connections = connections
    self.accepted = accepted
    self.refused = refused
  }

  /// The report as the API gives it.
  package var json: JSONValue {
    [
      "name": .string(name), "address": .string(address), "state": .string(state.rawValue),
      "problem": problem.map { .string($0) } ?? .null, "connections": JSONValue(connections),
      "accepted": JSONValue(accepted), "refused": JSONValue(refused),
    ]
  }
}
