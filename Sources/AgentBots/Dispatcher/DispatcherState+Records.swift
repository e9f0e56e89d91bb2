internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks

/// What is known of bots beside the roster, and how much of it each owner may have.
extension DispatcherState {
  /// Counts a bot that is about to be stored, so that registrations at the same moment can't exceed
  /// a limit together.
  /// - Throws: `conflict` if there are too many, or if they are too large.
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
    shares.add(bytes, of: record.owner)
  }

  /// Counts a bot with another definition.
  /// - Throws: `conflict` if its owner's bots are too large then.
  mutating func resize(
    _ id: String, to bytes: Int, by authority: TaskAuthority
  ) throws(TaskError) {
    guard let record = records[id], let former = record.bytes else { return }
    if !authority.isUnrestricted, bytes > former {
      try check(shares[record.owner].bytes - former + bytes, of: record.owner)
    }
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

  /// Notes what is known of a bot. Its share is counted already.
  mutating func enter(_ record: Record, for id: String) {
    // Two callers may have registered one id at the same moment.
    forget(id)
    records[id] = record
  }

  /// Forgets a bot, and counts it no more.
  mutating func forget(_ id: String) {
    guard let record = records.removeValue(forKey: id), let bytes = record.bytes else { return }
    shares.remove(bytes, of: record.owner)
  }
}

// MARK: The host's own types

/// A bot that isn't given tasks of some types any more.
struct WithheldTypes {
  let bot: String
  let types: Set<String>
}

extension DispatcherState {
  /// Withholds from a bot what the host does and whoever defined the bot may not take.
  ///
  /// Rationale: somebody may register a bot for a type before the settings declare it. A bot that takes
  /// a task sees its input and says what came of it.
  /// - Returns: what is withheld from now on; nil where nothing is.
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
  /// The row of a bot.
  func row(_ record: DispatcherState.Record, now: Int64) -> BotRow {
    BotRow(
      id: id, definition: JSONValue.object(definition.json).bytes(), lifecycle: lifecycle.stored,
      owner: record.owner, registered: registered, updated: now, heartbeat: lastHeartbeat,
      beats: record.beats, authority: record.authority.stored)
  }
}
