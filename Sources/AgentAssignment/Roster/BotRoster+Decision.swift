extension BotRoster {
  /// Decides which bot gets a task. It changes nothing. The caller reports the assignment with
  /// ``begin(_:capability:at:)``.
  ///
  /// A module's strategy gets its input from ``request(_:)``, and ``decide(_:strategy:answer:)``
  /// reads its answer. Here `best_fit` decides in its place.
  public func decide(_ task: AssignmentTask, strategy: AssignmentStrategy) -> Decision {
    let best =
      switch strategy {
      case .bestFit, .custom: best(for: task, by: BestFitOrder.self)
      case .loadBalanced: best(for: task, by: LoadBalancedOrder.self)
      case .roundRobin: best(for: task, by: RoundRobinOrder.self)
      case .priorityFirst: best(for: task, by: PriorityFirstOrder.self)
      }
    guard let best, let choice = choice(best) else {
      return Decision(strategy, .wait(unavailability(for: task)))
    }
    return Decision(strategy, .assign(choice))
  }

  func choice(_ candidate: Candidate) -> Decision.Choice? {
    guard let bot = records[Int(candidate.slot)] else { return nil }
    let position = Int(candidate.position)
    let capability = position < 0 ? nil : bot.definition.capabilities[position].name
    return Decision.Choice(bot: bot.id, capability: capability, score: candidate.score)
  }

  private func best<Order: CandidateOrder>(
    for task: AssignmentTask, by order: Order.Type
  ) -> Candidate? {
    var best: Candidate?
    visit(task) { candidate in
      if let before = best, !order.precedes(candidate, before) { return }
      best = candidate
    }
    return best
  }

  /// Iterates the bots that could take a task now, by their ids. A bot comes once for each of its
  /// suitable capabilities, the best first.
  @inline(__always)
  func visit(_ task: AssignmentTask, _ body: (Candidate) -> Void) {
    guard task.pinned == nil else { return visitPinned(task, body) }
    guard let list = entries[task.type] else { return }
    // Most tasks have no further demands. The numbers in the slots then suffice, without a look at
    // the bots.
    let isPlain = task.excluded.isEmpty && task.botType == nil && task.capability == nil
    let excluded = task.excluded.compactMap { slots[$0].map { Int32($0) } }
    let level = task.priority.level.bit
    for entry in list {
      let botSlot = botSlots[Int(entry.slot)]
      guard botSlot.takes, botSlot.hasFreeSlot else { continue }
      let cell = cells[Int(entry.cell)]
      guard cell.load < cell.most, isPlain || suits(entry, task: task, excluding: excluded) else {
        continue
      }
      body(candidate(botSlot, entry, level: level))
    }
  }

  @inline(__always)
  private func candidate(_ botSlot: BotSlot, _ entry: Entry, level: UInt8) -> Candidate {
    Candidate(
      slot: entry.slot, position: entry.position, boost: entry.boost,
      prefers: botSlot.levels & level != 0, load: botSlot.load, most: botSlot.most,
      lastActive: botSlot.lastActive, turn: botSlot.turn)
  }

  private func visitPinned(_ task: AssignmentTask, _ body: (Candidate) -> Void) {
    guard let id = task.pinned, let slot = slots[id], let bot = records[slot] else { return }
    let botSlot = botSlots[slot]
    guard botSlot.takes, botSlot.hasFreeSlot, suits(bot, task) else { return }
    let level = task.priority.level.bit
    if bot.takesByName {
      // A bot that is chosen by name has no capability, so its position is −1.
      let entry = Entry(slot: Int32(slot), cell: -1, boost: 0, position: -1)
      return body(candidate(botSlot, entry, level: level))
    }
    for (position, capability) in bot.capabilities(for: task.type) {
      let cell = cells[Int(cellsOf[slot][position])]
      guard cell.load < cell.most, task.capability.map({ $0 == capability.name }) ?? true else {
        continue
      }
      let entry = Entry(
        slot: Int32(slot), cell: 0, boost: Int32(clamping: capability.priorityBoost),
        position: Int32(position))
      body(candidate(botSlot, entry, level: level))
    }
  }

  /// Whether a bot meets a task's demands, apart from capabilities.
  func suits(_ bot: Bot, _ task: AssignmentTask) -> Bool {
    !task.excluded.contains(bot.id) && (task.pinned.map { $0 == bot.id } ?? true)
      && (task.botType.map { $0 == bot.definition.type } ?? true)
  }

  /// - Parameter excluded: the slots of the bots that the task excludes.
  private func suits(_ entry: Entry, task: AssignmentTask, excluding excluded: [Int32]) -> Bool {
    if excluded.contains(entry.slot) { return false }
    if task.botType == nil, task.capability == nil { return true }
    guard let bot = records[Int(entry.slot)] else { return false }
    if let type = task.botType, type != bot.definition.type { return false }
    return task.capability.map {
      $0 == bot.definition.capabilities[Int(entry.position)].name
    } ?? true
  }
}

extension Bot {
  /// Whether the bot takes any task that names it. This holds for a person without known
  /// capabilities.
  var takesByName: Bool { definition.type == .user && definition.capabilities.isEmpty }
}
