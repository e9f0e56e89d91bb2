package import AgentAssignment
internal import AgentStore
internal import AgentSystem

extension TaskStateMachine {
  /// When somebody has to look first whether a step of its escalation is due. What was done already
  /// isn't known here: who looks finds out, and says when to look again.
  func firstEscalation(_ definition: TaskDefinition) -> Int64? {
    guard !definition.escalation.isEmpty, let policy = EscalationPolicy(definition.escalation)
    else { return nil }
    switch policy.next(situation, EscalationPolicy.History(), at: .min) {
    case .wait(let moment): return moment
    case .escalate: return now
    case .done: return nil
    }
  }

  /// What of it decides on its escalation.
  package var situation: EscalationPolicy.Situation {
    EscalationPolicy.Situation(
      unacceptedSince: row.state == .running ? nil : row.asked ?? row.created, due: row.due)
  }
}
