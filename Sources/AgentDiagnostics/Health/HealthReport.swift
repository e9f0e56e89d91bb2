package import AgentJSON

/// The health of the host and of each of its parts: `get_health`.
package struct HealthReport: Sendable, Hashable {
  /// A part of the host.
  package struct Component: Sendable, Hashable {
    /// The part: `store`, `event_log`, `process:NAME`, `listener:NAME`, …
    package var name: String
    /// The state of the part.
    package var state: HealthState
    /// The reason if the state isn't `ok`.
    package var reason: String?
    /// The time since which it has this state, in Unix milliseconds.
    package var since: Int64

    /// The part in the form of the API.
    package var json: JSONValue {
      [
        "name": .string(name), "state": .string(state.rawValue),
        "reason": reason.map { .string($0) } ?? .null, "since": JSONValue(since),
      ]
    }
  }

  /// The state of the whole host.
  package var state: HealthState
  /// The time since which it has this state, in Unix milliseconds.
  package var since: Int64
  /// All parts, in the order in which they were read.
  package var components: [Component]

  /// Whether the host accepts requests and events, because every vital part is up.
  package var isReady: Bool { state == .ok || state == .degraded }

  /// The parts that aren't ok, worst first, in one line for people. `nil` if all parts are ok.
  package var reason: String? {
    let worst = components.filter { $0.state >= .degraded || (!isReady && $0.state != .ok) }
      .sorted { $0.state > $1.state }
    guard let first = worst.first else { return nil }
    let more = worst.count > 1 ? " (and \(worst.count - 1) more)" : ""
    return "\(first.name): \(first.reason ?? first.state.rawValue)\(more)"
  }

  /// The report in the form of the API.
  package var json: JSONValue {
    [
      "state": .string(state.rawValue), "since": JSONValue(since), "ready": .bool(isReady),
      "reason": reason.map { .string($0) } ?? .null,
      "components": .array(components.map(\.json)),
    ]
  }
}
