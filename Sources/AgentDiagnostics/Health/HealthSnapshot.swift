/// The health of one part of the host at this moment.
package struct HealthSnapshot: Sendable, Hashable {
  /// The part: `store`, `event_log`, `process:NAME`, `listener:NAME`, …
  package var name: String
  /// The state of the part.
  package var state: HealthState
  /// The reason if the state isn't `ok`, as a sentence for the person who must act.
  package var reason: String?
  /// The time since which it has this state, in Unix milliseconds. `nil` if the part doesn't know.
  package var since: Int64?
  /// Whether the host can't work without the part.
  package var isVital: Bool

  /// Creates a snapshot.
  package init(
    _ name: String, _ state: HealthState = .ok, reason: String? = nil, since: Int64? = nil,
    isVital: Bool = false
  ) {
    self.name = name
    self.state = state
    self.reason = reason
    self.since = since
    self.isVital = isVital
  }
}

extension Sequence<HealthSnapshot> {
  /// The state of the whole. A vital part counts with its own state. Another part makes the whole
  /// degraded if it isn't well, and doesn't count while it is starting. While a vital part is
  /// starting, the whole is starting.
  var overall: HealthState {
    let vital = filter(\.isVital).map(\.state)
    if vital.contains(.failing) { return .failing }
    if vital.contains(.starting) { return .starting }
    return contains { $0.state >= .degraded } ? .degraded : .ok
  }
}
