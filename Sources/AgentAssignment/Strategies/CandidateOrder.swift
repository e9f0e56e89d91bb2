/// Who goes before whom. Candidates come in the order of their ids, and of two that are equal the
/// earlier one is taken: so the id is the last word of every order.
protocol CandidateOrder {
  /// Whether `left` is strictly better.
  static func precedes(_ left: Candidate, _ right: Candidate) -> Bool
}

/// The highest score; then the least utilisation, then who is idle for longest.
enum BestFitOrder: CandidateOrder {
  @inline(__always)
  static func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
    if left.total != right.total { return left.total > right.total }
    let difference = left.utilisation(comparedTo: right)
    return difference != 0 ? difference < 0 : left.lastActive < right.lastActive
  }
}

/// The least utilisation; then the highest score, then who is idle for longest.
enum LoadBalancedOrder: CandidateOrder {
  @inline(__always)
  static func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
    let difference = left.utilisation(comparedTo: right)
    if difference != 0 { return difference < 0 }
    if left.total != right.total { return left.total > right.total }
    return left.lastActive < right.lastActive
  }
}

/// Whose last turn is longest ago. Rationale: a pointer that goes round a list is moved by tasks
/// that only few may have, and then passes over others again and again; turns aren't.
enum RoundRobinOrder: CandidateOrder {
  @inline(__always)
  static func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
    left.turn < right.turn
  }
}

/// Who prefers the priority; then as ``BestFitOrder``.
enum PriorityFirstOrder: CandidateOrder {
  @inline(__always)
  static func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
    if left.prefers != right.prefers { return left.prefers }
    return BestFitOrder.precedes(left, right)
  }
}

extension AssignmentStrategy {
  /// The order; a module's strategy falls back on that of ``bestFit``.
  var order: any CandidateOrder.Type {
    switch self {
    case .bestFit, .custom: BestFitOrder.self
    case .loadBalanced: LoadBalancedOrder.self
    case .roundRobin: RoundRobinOrder.self
    case .priorityFirst: PriorityFirstOrder.self
    }
  }
}
