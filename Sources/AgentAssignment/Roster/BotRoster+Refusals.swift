import AgentText

extension BotRoster {
  /// All reasons against giving a task to a bot now. Empty where the bot can have it. Nil if there
  /// is no such bot.
  public func refusals(_ task: AssignmentTask, bot id: String) -> [Refusal]? {
    self[id].map { refusals(task, $0) }
  }

  func refusals(_ task: AssignmentTask, _ bot: Bot) -> [Refusal] {
    var refusals: [Refusal] = []
    if let pinned = task.pinned, pinned != bot.id { refusals.append(.pinnedElsewhere(pinned)) }
    if task.excluded.contains(bot.id) { refusals.append(.excluded) }
    if let wanted = task.botType, wanted != bot.definition.type {
      refusals.append(.otherType(wanted: wanted.name, is: bot.definition.type.name))
    }
    if let refusal = capability(task, bot) { refusals.append(refusal) }
    if let refusal = standing(bot) { refusals.append(refusal) }
    let most = bot.definition.maxConcurrentTasks
    if bot.load.total >= most {
      refusals.append(.atCapacity(load: bot.load.total, most: most))
    }
    return refusals
  }

  private func standing(_ bot: Bot) -> Refusal? {
    switch bot.lifecycle {
    case .said(.online): nil
    case .said(.busy): .busy
    case .said(.draining): .draining
    case .said(.offline), .gone: .offline
    case .said(.error): .error
    case .lost: .lost
    }
  }

  private func capability(_ task: AssignmentTask, _ bot: Bot) -> Refusal? {
    if bot.takesByName, task.pinned == bot.id { return nil }
    let covering = bot.capabilities(for: task.type).map(\.capability)
    guard !covering.isEmpty else {
      let known = bot.taskTypes.sorted()
      return .lacksTaskType(task.type, nearest: NameSuggestion.of(task.type, among: known))
    }
    let asked = covering.filter { task.capability == nil || task.capability == $0.name }
    guard let first = asked.first else {
      let name = task.capability ?? ""
      return .lacksCapability(
        name, nearest: NameSuggestion.of(name, among: covering.map(\.name)))
    }
    let isFree = asked.contains { bot.load.count(of: $0.name) < $0.maxConcurrent ?? .max }
    return isFree
      ? nil
      : .capabilityAtCapacity(
        first.name, load: bot.load.count(of: first.name), most: first.maxConcurrent ?? .max)
  }
}
