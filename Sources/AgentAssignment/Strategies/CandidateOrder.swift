/// The rank of candidates. Candidates come sorted by id, and the earlier of two equal ones is
/// taken. The id therefore decides where all else is equal.
protocol CandidateOrder {
  /// Whether `left` is strictly better.
  static func precedes(_ left: Candidate, _ right: Candidate) -> Bool
}

/// The highest score, then the least utilization, then the longest idle time.
enum BestFitOrder: CandidateOrder {
  @inline(__always)
  static func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
    if left.total != right.total { return left.total > right.total }
    let difference = left.utilization(comparedTo: right)
    return difference != 0 ? difference < 0 : left.lastActive < right.lastActive
  }
}

/// The least utilization, then the highest score, then the longest idle time.
enum LoadBalancedOrder: CandidateOrder {
  @inline(__always)
  static func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
    let difference = left.utilization(comparedTo: right)
    if difference != 0 { return difference < 0 }
    if left.total != right.total { return left.total > right.total }
    return left.lastActive < right.lastActive
  }
}

/// The oldest last assignment. Rationale: tasks that only few bots may have would move a pointer
/// into a list, and the pointer would then pass over other bots again and again. Sequence numbers
/// have no such effect.
enum RoundRobinOrder: CandidateOrder {
  @inline(__always)
  static func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
    left.turn < right.turn
  }
}

/// Bots that prefer the task's priority, then as ``BestFitOrder``.
enum PriorityFirstOrder: CandidateOrder {
  @inline(__always)
  static func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
    if left.prefers != right.prefers { return left.prefers }
    return BestFitOrder.precedes(left, right)
  }
}

extension AssignmentStrategy {
  /// The order of this strategy. For a module's strategy it is that of ``bestFit``.
  var order: any CandidateOrder.Type {
    switch self {
    case .bestFit, .custom: BestFitOrder.self
    case .loadBalanced: LoadBalancedOrder.self
    case .roundRobin: RoundRobinOrder.self
    case .priorityFirst: PriorityFirstOrder.self
    }
  }
}
