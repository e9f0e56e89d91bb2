package import AgentAssignment
internal import AgentStore
internal import AgentSystem

extension TaskStateMachine {
  /// Returns the first time at which a step of the escalation may be due, or `nil` for never. The
  /// steps that were done are stored elsewhere. The dispatcher reads them and stores the time of
  /// the next check.
  func firstEscalation(_ definition: TaskDefinition) -> Int64? {
    guard !definition.escalation.isEmpty, let policy = EscalationPolicy(definition.escalation)
    else { return nil }
    switch policy.next(situation, EscalationPolicy.History(), at: .min) {
    case .wait(let moment): return moment
    case .escalate: return now
    case .done: return nil
    }
  }

  /// The properties of the task on which its escalation depends.
  package var situation: EscalationPolicy.Situation {
    EscalationPolicy.Situation(
      unacceptedSince: row.state == .running ? nil : row.asked ?? row.created, due: row.due)
  }
}
