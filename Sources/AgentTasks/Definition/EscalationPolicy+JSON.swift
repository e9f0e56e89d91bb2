internal import AgentAssignment
package import AgentJSON
internal import AgentSystem

extension EscalationPolicy {
  /// Reads the escalation of a definition: `[{"when": "unaccepted" | "overdue", "after_ms": N,
  /// "to": {"bot" | "bot_type" | "user": ID} or {"priority": POINTS}, "every_ms": N, "times": N}]`.
  /// Returns `nil` if a step can't be read.
  package init?(_ steps: [JSONValue]) {
    var read: [Escalation] = []
    for step in steps {
      guard let target = Self.target(step["to"] ?? .null),
        let trigger = Escalation.Trigger(rawValue: step["when"]?.string ?? "unaccepted"),
        let after = step["after_ms"]?.int64, after >= 0
      else { return nil }
      // A stored row may never have been checked. A step that repeats after 0 ms would always be
      // due.
      let repetition = EscalationCheck.shortestRepetition...TaskBounds.greatest
      read.append(
        Escalation(
          trigger, after: after, to: target,
          every: step["every_ms"]?.int64?.clamped(to: repetition), times: step["times"]?.int))
    }
    self.init(read)
  }

  private static func target(_ value: JSONValue) -> Escalation.Target? {
    if let id = value["bot"]?.string { return .bot(id) }
    if let type = value["bot_type"]?.string { return .botType(BotType(type)) }
    if let id = value["user"]?.string { return .user(id) }
    return value["priority"]?.int.map { .raise($0) }
  }
}
