/// How much something matters; ordered, the least first.
public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable, Codable {
  /// For the record.
  case info
  /// Somebody should look at it soon.
  case warning
  /// Somebody must look at it now.
  case critical

  /// By how much they matter.
  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .critical: 2
    }
  }
}
