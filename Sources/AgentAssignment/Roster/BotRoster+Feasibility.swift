import AgentText

extension BotRoster {
  /// Whether the registered bots can ever take a task. The alert about impossible tasks uses it.
  public func canEver(_ task: AssignmentTask) -> Feasibility {
    if let id = task.pinned { return feasibility(task, pinned: id) }
    // Usually the first one can.
    for entry in entries[task.type] ?? [] {
      guard let bot = record(Int(entry.slot)), covers(bot, task), suits(bot, task) else {
        continue
      }
      return .possible
    }
    let capable = bots(for: task.type)
    guard !capable.isEmpty else {
      return .unknownTaskType(
        task.type, nearest: NameSuggestion.of(task.type, among: entries.keys.sorted()))
    }
    let named = capable.filter { covers($0, task) }
    guard !named.isEmpty else {
      let names = capable.flatMap { $0.capabilities(for: task.type) }
      let wanted = task.capability ?? ""
      return .unknownCapability(
        wanted, nearest: NameSuggestion.of(wanted, among: names.map(\.capability.name)))
    }
    let typed = named.filter { task.botType == nil || task.botType == $0.definition.type }
    guard !typed.isEmpty else { return .noBotOfType(task.botType?.name ?? "") }
    let willing = typed.contains { !task.excluded.contains($0.id) }
    return willing ? .possible : .allExcluded(typed.count)
  }

  private func feasibility(_ task: AssignmentTask, pinned id: String) -> Feasibility {
    guard let bot = self[id] else { return .pinnedIsUnknown(id) }
    if task.excluded.contains(id) { return .allExcluded(1) }
    let isOfType = task.botType == nil || task.botType == bot.definition.type
    return isOfType && (bot.takesByName || covers(bot, task)) ? .possible : .pinnedIsUnsuited(id)
  }

  private func covers(_ bot: Bot, _ task: AssignmentTask) -> Bool {
    bot.capabilities(for: task.type).contains {
      task.capability == nil || task.capability == $0.capability.name
    }
  }

  /// The bots with a capability for a type, by their ids.
  private func bots(for type: String) -> [Bot] {
    var last: Int32 = -1
    return (entries[type] ?? []).compactMap { entry in
      defer { last = entry.slot }
      return entry.slot == last ? nil : records[Int(entry.slot)]
    }
  }
}
