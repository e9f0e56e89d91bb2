extension BotRoster {
  /// Counts why no bot can take a task now. It returns numbers only, because it may be called for
  /// every waiting task.
  func unavailability(for task: AssignmentTask) -> Unavailability {
    var unavailability = Unavailability()
    var last: Int32 = -1
    for entry in entries[task.type] ?? [] where entry.slot != last {
      last = entry.slot
      guard let bot = records[Int(entry.slot)] else { continue }
      count(bot, botSlot: botSlots[Int(entry.slot)], task: task, in: &unavailability)
    }
    if let id = task.pinned, let slot = slots[id], let bot = records[slot], bot.takesByName {
      count(bot, botSlot: botSlots[slot], task: task, in: &unavailability)
    }
    return unavailability
  }

  private func count(
    _ bot: Bot, botSlot: BotSlot, task: AssignmentTask, in sum: inout Unavailability
  ) {
    sum.capable += 1
    if task.excluded.contains(bot.id) {
      sum.excluded += 1
    } else if !suits(bot, task) || !has(bot, task.capability, for: task.type) {
      sum.unsuited += 1
    } else if !botSlot.takes {
      sum.unavailable += 1
    } else {
      sum.atCapacity += 1
    }
  }

  private func has(_ bot: Bot, _ name: String?, for type: String) -> Bool {
    guard let name else { return true }
    return bot.takesByName
      || bot.definition.capabilities.contains { $0.name == name && $0.taskTypes.contains(type) }
  }
}
