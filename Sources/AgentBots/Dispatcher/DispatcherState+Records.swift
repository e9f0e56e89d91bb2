internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks

/// Keeps the records of bots, and the share of each owner.
extension DispatcherState {
  /// Counts a bot before it is stored. Simultaneous registrations then can't exceed a limit
  /// together.
  /// - Throws: `conflict` if a limit is exceeded.
  mutating func reserve(_ record: Record, by authority: TaskAuthority) throws(TaskError) {
    guard shares.total < plan.maxBots else {
      throw TaskError(
        .conflict,
        "\(shares.total) bots are registered, and at most \(plan.maxBots) may be (bots.max). "
          + "Unregister those that are gone, or raise bots.max in the settings.")
    }
    let bytes = record.bytes ?? 0
    if !authority.isUnrestricted {
      let share = shares[record.owner]
      guard share.bots < plan.maxBotsEach else {
        throw TaskError(
          .conflict,
          "\(record.owner ?? "The host") has registered \(share.bots) bots, and may have at most "
            + "\(plan.maxBotsEach). Unregister some, or have an administrator register them.")
      }
      try check(share.bytes + bytes, of: record.owner)
    }
    // The caller removes the share again if the bot can't be stored.
    shares.add(bytes, of: record.owner)
  }

  /// Reserves the bytes by which a bot's definition will grow, until its change is stored.
  /// Simultaneous changes then can't exceed a limit together.
  /// - Throws: `conflict` if the owner's bots would exceed the limit.
  mutating func reserveGrowth(
    of id: String, to bytes: Int, by authority: TaskAuthority
  ) throws(TaskError) -> BotShares.Growth {
    guard let record = records[id], let former = record.bytes, bytes > former else {
      // A smaller definition is always accepted: the owner may exceed a limit that was lowered.
      return BotShares.Growth(owner: nil, bytes: 0)
    }
    let growth = BotShares.Growth(owner: record.owner, bytes: bytes - former)
    if !authority.isUnrestricted {
      try check(shares[record.owner].bytes + growth.bytes, of: record.owner)
    }
    shares.reserve(growth)
    return growth
  }

  /// Counts the new size of a bot's definition. Does nothing for a bot of the settings.
  mutating func resize(_ id: String, to bytes: Int) {
    guard let record = records[id], let former = record.bytes else { return }
    shares.change(former, to: bytes, of: record.owner)
    records[id]?.bytes = bytes
  }

  private func check(_ bytes: Int, of owner: String?) throws(TaskError) {
    guard bytes > plan.maxBytesEach else { return }
    throw TaskError(
      .conflict,
      "The bots of \(owner ?? "the host") would have \(bytes) bytes together, and may have at most "
        + "\(plan.maxBytesEach). Give them less metadata and fewer capabilities, or unregister some."
    )
  }

  /// Stores the record of a bot whose share is already counted.
  mutating func enter(_ record: Record, for id: String) {
    // Two callers may have registered the same id at the same time: one share goes.
    forget(id)
    records[id] = record
  }

  /// Removes the record of a bot, and its share.
  mutating func forget(_ id: String) {
    guard let record = records.removeValue(forKey: id), let bytes = record.bytes else { return }
    shares.remove(bytes, of: record.owner)
  }
}

// MARK: The host's own types

/// Types of tasks that a bot no longer gets.
struct WithheldTypes {
  let bot: String
  let types: Set<String>
}

extension DispatcherState {
  /// Withholds from a bot the types that the host runs and that the bot's registrant may not take.
  ///
  /// Rationale: a bot may be registered for a type before the settings declare that type. A bot
  /// that takes a task sees its input and decides its result.
  /// - Returns: the types that are newly withheld; nil if there are none.
  mutating func withhold(from id: String) -> WithheldTypes? {
    guard let bot = roster[id], let record = records[id] else { return nil }
    let types = Set(bot.definition.capabilities.flatMap(\.taskTypes)).filter {
      !record.authority.mayTake($0, taskPlan)
    }
    let new = types.subtracting(bot.withheld)
    roster.withhold(types, from: id)
    return new.isEmpty ? nil : WithheldTypes(bot: id, types: new)
  }
}

extension Bot {
  /// Returns the row that is stored for the bot.
  /// - Parameter now: the moment of the change, in Unix milliseconds.
  func row(_ record: DispatcherState.Record, now: Int64) -> BotRow {
    BotRow(
      id: id, definition: JSONValue.object(definition.json).bytes(), lifecycle: lifecycle.stored,
      owner: record.owner, registered: registered, updated: now, heartbeat: lastHeartbeat,
      beats: record.beats, authority: record.authority.stored)
  }
}
