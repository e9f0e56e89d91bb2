extension BotRoster {
  /// Adds a task to a bot that a decision chose.
  ///
  /// - Parameter capability: the capability from the decision. Nil for a person who was named.
  /// - Returns: the actions that the caller must perform. Nil, without a change, where the bot is
  ///   unknown, takes no tasks, or has no free slot as a whole or for this capability.
  public mutating func begin(
    _ id: String, capability: String?, at now: Int64
  ) -> [BotAction]? {
    guard let slot = slots[id], botSlots[slot].takes, botSlots[slot].hasFreeSlot else { return nil }
    if let capability {
      guard let cell = cell(of: capability, in: slot), cells[cell].load < cells[cell].most else {
        return nil
      }
    }
    return count(capability, in: slot, at: now)
  }

  /// Adds a task that the store says a bot has, after a restart. It counts even if no slot is free.
  /// - Returns: the actions that the caller must perform, or nil if there is no such bot.
  public mutating func resume(
    _ id: String, capability: String?, at now: Int64
  ) -> [BotAction]? {
    slots[id].map { count(capability, in: $0, at: now) }
  }

  /// Removes a task that has ended in any way from a bot.
  /// - Returns: the actions that the caller must perform. Nil where the bot is unknown or has no
  ///   such task.
  public mutating func end(_ id: String, capability: String?, at now: Int64) -> [BotAction]? {
    guard let slot = slots[id], let before = records[slot]?.status,
      records[slot]?.load.end(capability) ?? false
    else { return nil }
    if let capability, let cell = cell(of: capability, in: slot) { cells[cell].load -= 1 }
    return changed(slot, before, at: now)
  }

  private mutating func count(
    _ capability: String?, in slot: Int, at now: Int64
  ) -> [BotAction] {
    let before = records[slot]?.status ?? .offline
    records[slot]?.load.begin(capability)
    if let capability, let cell = cell(of: capability, in: slot) { cells[cell].load += 1 }
    botSlots[slot].turn = nextTurn()
    return changed(slot, before, at: now)
  }

  private mutating func changed(_ slot: Int, _ before: BotStatus, at now: Int64) -> [BotAction] {
    let latest = max(botSlots[slot].lastActive, now)
    records[slot]?.lastActive = latest
    botSlots[slot].lastActive = latest
    let total = records[slot]?.load.total ?? 0
    botSlots[slot].load = Int32(clamping: total)
    count(slot)
    let status = records[slot]?.status ?? .offline
    if status == .draining, total == 0 { return [.drained] }
    return status == before ? [] : [.announce(status)]
  }

  private func cell(of capability: String, in slot: Int) -> Int? {
    guard
      let position = records[slot]?.definition.capabilities
        .firstIndex(where: { $0.name == capability })
    else { return nil }
    return Int(cellsOf[slot][position])
  }
}
