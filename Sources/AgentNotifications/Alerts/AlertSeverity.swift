/// The severity of an alert.
public enum AlertSeverity: String, Sendable, Hashable, Comparable, CaseIterable {
  /// For the record.
  case info
  /// Somebody should look soon.
  case warning
  /// Somebody must look now.
  case critical

  /// Whether `left` is less severe.
  public static func < (left: AlertSeverity, right: AlertSeverity) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .critical: 2
    }
  }
}
