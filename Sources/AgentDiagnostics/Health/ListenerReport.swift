package import AgentJSON

/// The state of a port of the host.
package enum ListenerState: String, Sendable, CaseIterable, Codable {
  case starting = "STARTING"
  case listening = "LISTENING"
  /// The port can't be opened. The host tries again.
  case failed = "FAILED"
}

/// A port of the host as `agent status` shows it.
package struct ListenerReport: Sendable, Hashable {
  /// The setting of the port, such as `events.tcp`.
  package var name: String
  /// The address of the port.
  package var address: String
  package var state: ListenerState
  /// The reason why the port isn't open.
  package var problem: String?
  /// The number of connected clients.
  package var connections: Int
  /// The number of events that were stored since the port was opened.
  package var accepted: Int
  /// The number of refused lines.
  package var refused: Int

  /// Creates a report.
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

  /// The report in the form of the API.
  package var json: JSONValue {
    [
      "name": .string(name), "address": .string(address), "state": .string(state.rawValue),
      "problem": problem.map { .string($0) } ?? .null, "connections": JSONValue(connections),
      "accepted": JSONValue(accepted), "refused": JSONValue(refused),
    ]
  }
}
