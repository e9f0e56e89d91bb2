/// The state of a query.
enum QueryState: Sendable, Hashable {
  case created
  case history
  case realTime
  case stopped
  case destroyed

  /// Starts the query. Returns whether it was new or stopped.
  mutating func start() -> Bool {
    switch self {
    case .created, .stopped:
      self = .history
      return true
    case .history, .realTime, .destroyed: return false
    }
  }

  /// Ends the history. Returns whether it was in progress.
  mutating func endHistory() -> Bool {
    guard self == .history else { return false }
    self = .realTime
    return true
  }
}
