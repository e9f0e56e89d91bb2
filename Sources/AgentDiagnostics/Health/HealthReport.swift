package import AgentJSON

/// How the host and each of its parts do, and since when: `get_health`.
package struct HealthReport: Sendable, Hashable {
  /// One part.
  package struct Component: Sendable, Hashable {
    /// The part: `store`, `event_log`, `process:NAME`, `listener:NAME`, …
    package var name: String
    /// How well it does.
    package var state: HealthState
    /// Why it isn't ok.
    package var reason: String?
    /// Since when it is in this state, in Unix milliseconds.
    package var since: Int64

    /// The part as the API gives it.
    package var json: JSONValue {
      [
        "name": .string(name), "state": .string(state.rawValue),
        "reason": reason.map { .string($0) } ?? .null, "since": JSONValue(since),
      ]
    }
  }

  /// How the whole does.
  package var state: HealthState
  /// Since when it is in this state, in Unix milliseconds.
  package var since: Int64
  /// Every part, in the order in which they were read.
  package var components: [Component]

  /// Whether requests and events are taken: everything is up that the host can't do without.
  package var isReady: Bool { state == .ok || state == .degraded }

  /// The parts that aren't ok, worst first, in a line for people; nil when all are.
  package var reason: String? {
    let worst = components.filter { $0.state >= .degraded || (!isReady && $0.state != .ok) }
      .sorted { $0.state > $1.state }
    guard let first = worst.first else { return nil }
    let more = worst.count > 1 ? " (and \(worst.count - 1) more)" : ""
    return "\(first.name): \(first.reason ?? first.state.rawValue)\(more)"
  }

  /// The report as the API gives it.
  package var json: JSONValue {
    [
      "state": .string(state.rawValue), "since": JSONValue(since), "ready": .bool(isReady),
      "reason": reason.map { .string($0) } ?? .null,
      "components": .array(components.map(\.json)),
    ]
  }
}
