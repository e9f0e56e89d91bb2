/// Why somebody is notified.
public enum NoticeKind: String, Sendable, Hashable {
  /// Something is so.
  case opened
  /// It matters more than before.
  case escalated
  /// It is still so.
  case repeated
  /// It is over.
  case resolved
  /// Nothing is so: somebody tries the notifier.
  case test

  /// What stands before the title.
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
