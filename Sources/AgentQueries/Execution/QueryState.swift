/// Where a query stands in its life.
enum QueryState: Sendable, Hashable {
  case created
  case history
  case realTime
  case stopped
  case destroyed

  /// Whether it starts: it does when it is new or has stopped.
  mutating func start() -> Bool {
    switch self {
    case .created, .stopped:
      self = .history
      return true
    case .history, .realTime, .destroyed: return false
    }
  }

  /// Whether history ends.
  mutating func endHistory() -> Bool {
    guard self == .history else { return false }
    self = .realTime
    return true
  }
}
