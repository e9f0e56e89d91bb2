public import AgentAssignment
public import AgentJSON
internal import AgentStore
internal import AgentSystem
public import AgentTasks
internal import Synchronization

/// Registers, updates and removes bots.
extension TaskDispatcher {
  /// Registers a bot. It is online at once, and stored when this returns.
  /// - Parameters:
  ///   - id: the id. Nil generates one. If a bot with this id exists, it is updated and keeps its
  ///     tasks.
  ///   - authority: the caller, which must be permitted to take the bot's types of tasks.
  /// - Returns: the bot as the API shows it.
  /// - Throws: `invalid`, `forbidden`, `notReady`; `conflict` if a limit is exceeded.
  public func register(
    _ definition: BotDefinition, id: String? = nil, by authority: TaskAuthority
  ) async throws -> JSONObject {
    let store = try readyStore()
    let moment = now()
    let owner = authority.actor
    try authority.checkIsForAllBots()
    try authority.check(definition, tasks.plan)
    try Self.checkData(of: definition)
    if let problem = NameCheck.problem(id, at: "id") { throw TaskError(.invalid, problem) }
    let id = id ?? Self.newID()
    let isKnown = state.withLock { $0.roster[id] != nil }
    if isKnown {
      _ = try await update(id, definition, by: authority)
      return try await say(id, .online, by: authority)
    }
    let bot = Bot(id: id, definition: definition, registered: moment)
    let bytes = definition.bytes
    let record = DispatcherState.Record(
      owner: owner, authority: authority, bytes: bytes, since: moment)
    try state.withLock { state throws(TaskError) in try state.reserve(record, by: authority) }
    // Stored before it is in memory: a bot that gets tasks must exist after a kill of the host.
    do {
      try await store.write { [row = bot.row(record, now: moment)] transaction in
        // Two callers may register the same id at the same time. The second must not get the bot of
        // the first.
        if let other = try transaction.bots.bot(id), other.owner != owner {
          throw TaskError(.conflict, "There is a bot \(id) of another owner. Choose another id.")
        }
        try transaction.bots.put(row)
      }
    } catch {
      state.withLock { $0.shares.remove(bytes, of: owner) }
      doubt(.bot(id), after: error)
      throw error
    }
    let withheld = state.withLock { $0.register(bot, record) }
    finishRegistering(id, withheld)
    return try self.bot(id, for: authority)
  }

  /// Reports a bot that was added to memory.
  func finishRegistering(_ id: String, _ withheld: WithheldTypes?) {
    warn(of: [withheld])
    routeAndAssign()
    let found = state.withLock { state -> JSONObject? in
      state.roster[id].map { report($0, state) }
    }
    // It may be unregistered again.
    guard let found else { return }
    publishEvent("bot_registered", ["bot": .object(found)], about: id)
  }

  /// Checks the size of the metadata and the contact. The roster keeps them in memory.
  /// - Throws: `invalid` if they exceed the limit.
  private static func checkData(of definition: BotDefinition) throws(TaskError) {
    let bytes = definition.dataBytes
    guard bytes > BotPlan.maxDataBytes else { return }
    throw TaskError(
      .invalid,
      "metadata and contact_info have \(bytes) bytes together, and may have "
        + "\(BotPlan.maxDataBytes). Keep the rest elsewhere, and where it is in metadata.")
  }

  /// Returns an id for a new bot.
  public static func newID() -> String {
    // 128 random bits. Stored assignments name removed bots, so that ids must not be used twice.
    let digits = (0..<4).map { _ in
      let number = String(UInt32.random(in: 0...UInt32.max), radix: 16)
      return String(repeating: "0", count: 8 - number.count) + number
    }
    return "bot-" + digits.joined()
  }

  /// Replaces the definition of a bot. Its tasks stay.
  /// - Returns: the bot after the change.
  /// - Throws: `invalid`, `forbidden`, `missing`, `notReady`; `conflict` if the settings define the
  ///   bot or a limit is exceeded.
  public func update(
    _ id: String, _ definition: BotDefinition, by authority: TaskAuthority
  ) async throws -> JSONObject {
    try check(authority, speaksFor: id)
    try authority.check(definition, tasks.plan)
    try checkIsNotLocal(id)
    try Self.checkData(of: definition)
    var definition = definition
    // Callers see only a part of the address. A caller that sends that part keeps the address.
    if let known = self.definition(of: id)?.webhook, definition.webhook?.url == known.origin {
      definition.webhook?.url = known.url
    }
    let growth = try state.withLock { state throws(TaskError) in
      try state.reserveGrowth(of: id, to: definition.bytes, by: authority)
    }
    do {
      try await store(definition, of: id, growth: growth, by: authority)
    } catch {
      state.withLock { $0.shares.release(growth) }
      throw error
    }
    return try bot(id, for: authority)
  }

  /// Stores the new definition of a bot, and applies it.
  /// - Parameter growth: the reserved bytes. They count as the bot's own after the commit.
  private func store(
    _ definition: BotDefinition, of id: String, growth: BotShares.Growth,
    by authority: TaskAuthority
  ) async throws {
    let json = JSONValue.object(definition.json).bytes()
    try await change(
      id,
      stored: { row in
        row.definition = json
        // The caller has written the definition. Its permissions count from now on.
        row.authority = authority.stored
      }
    ) { state in
      let former = state.roster[id]
      guard let actions = state.roster.update(id, definition) else { return nil }
      state.shares.release(growth)
      state.resize(id, to: json.count)
      state.records[id]?.authority = authority
      _ = state.withhold(from: id)
      state.markAffected(former, state.roster[id])
      return actions
    }
  }

  /// Removes a bot, and requeues its tasks.
  /// - Parameter note: the reason, which the history of the tasks shows.
  /// - Throws: `missing`, `forbidden`, `notReady`; `conflict` if the settings define the bot.
  public func unregister(
    _ id: String, note: String = "The bot was unregistered.", by authority: TaskAuthority
  ) async throws {
    let store = try readyStore()
    try check(authority, speaksFor: id)
    try checkIsNotLocal(id)
    if state.withLock({ $0.roster[id] == nil }) { return try await removeUnreadable(id, store) }
    // Read before the bot is removed: the event shows its last state.
    let report = try bot(id)
    do {
      try await store.write { [ending = state.withLock(\.ending)] transaction in
        _ = try transaction.bots.remove(id)
        try ending?(id, transaction)
      }
    } catch {
      doubt(.bot(id), after: error)
      throw error
    }
    let moment = now()
    state.withLock { $0.unregister(id, at: moment) }
    await finishUnregistering(id, report, note: note)
  }

  /// Requeues the tasks of a bot that was removed from memory, and reports its removal.
  /// - Parameter report: the bot before its removal.
  func finishUnregistering(_ id: String, _ report: JSONObject, note: String) async {
    route()
    await release(id, note: note)
    publishEvent("bot_unregistered", ["bot": .object(report)], about: id)
    wakeTimer.ring()
  }

  /// Removes a bot whose row can't be read. ``open(_:)`` has left it out.
  /// - Throws: `missing` if there is no such row.
  private func removeUnreadable(_ id: String, _ store: any Store) async throws {
    let isGone = try await store.write { [ending = state.withLock(\.ending)] transaction in
      guard try transaction.bots.remove(id) else { return false }
      try ending?(id, transaction)
      return true
    }
    guard isGone else { throw unknown(id) }
  }
}

extension DispatcherState {
  /// Adds a bot. Its share is already counted.
  /// - Returns: the types of tasks that the bot doesn't get.
  mutating func register(_ bot: Bot, _ record: Record) -> WithheldTypes? {
    let former = roster[bot.id]
    roster.register(bot)
    enter(record, for: bot.id)
    // The settings may have declared a type since the check.
    let withheld = withhold(from: bot.id)
    markAffected(former, roster[bot.id])
    return withheld
  }

  /// Removes a bot and its share.
  mutating func unregister(_ id: String, at now: Int64) {
    let former = roster[id]
    _ = roster.apply(.unregister, to: id, at: now)
    forget(id)
    markAffected(former, nil)
  }
}
