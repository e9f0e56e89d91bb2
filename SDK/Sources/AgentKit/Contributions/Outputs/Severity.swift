/// How urgent something is; ordered from least to most.
public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable, Codable {
  /// Nobody has to act.
  case info
  /// Somebody should look at it soon.
  case warning
  /// Somebody must look at it now.
  case critical

  /// Orders severities from least to most urgent.
  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .critical: 2
    }
  }
}
