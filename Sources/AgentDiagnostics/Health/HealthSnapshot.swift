/// The health of one part of the host at this moment.
package struct HealthSnapshot: Sendable, Hashable {
  /// The part: `store`, `event_log`, `process:NAME`, `listener:NAME`, …
  package var name: String
  /// How well it does.
  package var state: HealthState
  /// Why it isn't ok, a sentence for the person who must act.
  package var reason: String?
  /// Since when, in Unix milliseconds, where the part itself knows.
  package var since: Int64?
  /// Whether the host is of no use without it.
  package var isVital: Bool

  /// Describes a part.
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
  /// The health of the whole. Vital parts count as they are. Any other part that isn't well makes
  /// the whole degraded, and one that is starting doesn't count. While a vital part is starting the
  /// whole is starting.
  var overall: HealthState {
    let vital = filter(\.isVital).map(\.state)
    if vital.contains(.failing) { return .failing }
    if vital.contains(.starting) { return .starting }
    return contains { $0.state >= .degraded } ? .degraded : .ok
  }
}
