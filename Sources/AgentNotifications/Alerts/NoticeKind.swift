/// The reason for a notice.
public enum NoticeKind: String, Sendable, Hashable {
  /// The alert was opened.
  case opened
  /// The severity has risen.
  case escalated
  /// The alert is still open.
  case repeated
  /// The alert is over.
  case resolved
  /// Somebody tests the notifier. There is no alert.
  case test

  /// The prefix of the title.
  var prefix: String {
    switch self {
    case .opened: ""
    case .escalated: "Worse: "
    case .repeated: "Still so: "
    case .resolved: "Resolved: "
    case .test: "Test: "
    }
  }
}
