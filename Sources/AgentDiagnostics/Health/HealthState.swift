/// How well a part of the host does, from best to worst.
package enum HealthState: String, Sendable, CaseIterable, Comparable {
  /// It does what it is there for.
  case ok
  /// It isn't up yet.
  case starting
  /// It works, and something about it needs a person, or soon will.
  case degraded
  /// It doesn't do what it is there for.
  case failing

  /// Whether the right one is worse.
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
