/// The states of a part of the host, from best to worst.
package enum HealthState: String, Sendable, CaseIterable, Comparable {
  /// The part works.
  case ok
  /// The part isn't up yet.
  case starting
  /// The part works, but it needs a person's attention now or soon.
  case degraded
  /// The part doesn't work.
  case failing

  /// Whether `right` is worse.
  package static func < (left: HealthState, right: HealthState) -> Bool {
    left.severity < right.severity
  }

  private var severity: Int {
    switch self {
    case .ok: 0
    case .starting: 1
    case .degraded: 2
    case .failing: 3
    }
  }
}
