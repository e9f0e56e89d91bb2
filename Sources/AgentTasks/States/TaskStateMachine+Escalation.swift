package import AgentAssignment
internal import AgentStore
internal import AgentSystem

extension TaskStateMachine {
  /// When to check first whether a step of the escalation is due; nil for never. The steps already
  /// done are stored elsewhere: the dispatcher reads them, and stores when to check again.
  func firstEscalation(_ definition: TaskDefinition) -> Int64? {
    guard !definition.escalation.isEmpty, let policy = EscalationPolicy(definition.escalation)
    else { return nil }
    switch policy.next(situation, EscalationPolicy.History(), at: .min) {
    case .wait(let moment): return moment
    case .escalate: return now
    case .done: return nil
    }
  }

  /// The part of the task on which its escalation depends.
  package var situation: EscalationPolicy.Situation {
    EscalationPolicy.Situation(
      unacceptedSince: row.state == .running ? nil : row.asked ?? row.created, due: row.due)
  }
}
