public import AgentJSON

/// How the host and each of its parts do, and since when: `get_health`.
public struct HealthReport: Sendable, Hashable {
  /// One part.
  public struct Component: Sendable, Hashable {
    /// The part: `store`, `event_log`, `process:NAME`, `listener:NAME`, …
    public var name: String
    /// How well it does.
    public var state: HealthState
    /// Why it isn't ok.
    public var reason: String?
    /// Since when it is in this state, in Unix milliseconds.
    public var since: Int64

    /// The part as the API gives it.
    public var json: JSONValue {
      [
        "name": .string(name), "state": .string(state.rawValue),
        "reason": reason.map { .string($0) } ?? .null, "since": JSONValue(since),
      ]
    }
  }

  /// How the whole does.
  public var state: HealthState
  /// Since when it is in this state, in Unix milliseconds.
  public var since: Int64
  /// Every part, in the order in which they were read.
  public var components: [Component]

  /// Whether requests and events are taken: everything is up that the host can't do without.
  public var isReady: Bool { state == .ok || state == .degraded }

  /// The parts that aren't ok, worst first, in a line for people; nil when all are.
  public var reason: String? {
    let worst = components.filter { $0.state >= .degraded || (!isReady && $0.state != .ok) }
      .sorted { $0.state > $1.state }
    guard let first = worst.first else { return nil }
    let more = worst.count > 1 ? " (and \(worst.count - 1) more)" : ""
    return "\(first.name): \(first.reason ?? first.state.rawValue)\(more)"
  }

  /// The report as the API gives it.
  public var json: JSONValue {
    [
      "state": .string(state.rawValue), "since": JSONValue(since), "ready": .bool(isReady),
      "reason": reason.map { .string($0) } ?? .null,
      "components": .array(components.map(\.json)),
    ]
  }
}
