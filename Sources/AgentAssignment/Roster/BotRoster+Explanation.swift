extension BotRoster {
  /// Explains a decision: the rank of every bot, or all reasons against it. It takes milliseconds
  /// with 1,000 bots. Call it for people who ask, not for decisions.
  public func explain(_ task: AssignmentTask, strategy: AssignmentStrategy) -> Explanation {
    explain(task, decision: decide(task, strategy: strategy))
  }

  /// Explains a decision that a module's strategy took.
  public func explain(_ task: AssignmentTask, decision: Decision) -> Explanation {
    var choices = ranking(task, by: decision.strategy.order)
    if let chosen = decision.choice, let index = choices.firstIndex(where: { $0.bot == chosen.bot })
    {
      choices.insert(choices.remove(at: index), at: 0)
    }
    let free = choices.enumerated().map { index, choice in
      Explanation.Verdict(
        bot: choice.bot, name: self[choice.bot]?.definition.name ?? "",
        outcome: .eligible(place: index + 1, choice))
    }
    let eligible = Set(choices.map(\.bot))
    let refused = bots.filter { !eligible.contains($0.id) }.map { bot in
      Explanation.Verdict(
        bot: bot.id, name: bot.definition.name, outcome: .refused(refusals(task, bot)))
    }
    return Explanation(task: task.id, decision: decision, verdicts: free + refused)
  }

  /// Returns the bots that could take a task now, the best first, each with its best capability.
  func ranking(_ task: AssignmentTask, by order: any CandidateOrder.Type) -> [Decision.Choice] {
    var found: [Candidate] = []
    visit(task) { if found.last?.slot != $0.slot { found.append($0) } }
    let sorted = found.enumerated().sorted { left, right in
      if order.precedes(left.element, right.element) { return true }
      return !order.precedes(right.element, left.element) && left.offset < right.offset
    }
    return sorted.compactMap { choice($0.element) }
  }
}
