internal import AgentSystem

/// The bots, and the decision which of them gets a task. A value without clock or I/O. Times are
/// Unix milliseconds.
///
/// One lookup finds the bots for a type of task. Their numbers are compared in contiguous memory,
/// so that a decision among 1,000 bots takes microseconds. The same roster and task give the same
/// answer.
public struct BotRoster: Sendable {
  var slots: [String: Int] = [:]
  var records: [Bot?] = []
  var botSlots: [BotSlot] = []
  /// The cells of each bot's capabilities, in the order of its definition.
  var cellsOf: [[Int32]] = []
  var cells: [Cell] = []
  /// The capabilities for each type of task, by the bot's id. Those of one bot come best first.
  var entries: [String: [Entry]] = [:]
  /// The share of each bot in the totals, by slot.
  var tallies: [Int: Tally] = [:]
  /// Totals over all bots.
  public internal(set) var standing = Standing()
  /// The ids of the bots, sorted.
  private var order: [String] = []
  private var freeSlots: [Int] = []
  private var freeCells: [Int32] = []
  private var turns: Int64 = 0

  /// Creates an empty roster.
  public init() {}

  /// The number of bots.
  public var count: Int { slots.count }

  /// Whether some bot takes tasks now and has a free slot.
  public var hasFreeSlot: Bool { !standing.freeBots.bots.isEmpty }

  /// The bots, sorted by id.
  public var bots: [Bot] { order.compactMap { self[$0] } }

  /// Returns the bots whose ids are greater than `id` and that match, at most `limit`, sorted by
  /// id. It reads no more bots than necessary.
  public func bots(
    after id: String? = nil, limit: Int = .max, where isMeant: (Bot) -> Bool = { _ in true }
  ) -> [Bot] {
    let first = id.map { id in order.place(of: id) + (self[id] == nil ? 0 : 1) } ?? 0
    var found: [Bot] = []
    for id in order.dropFirst(first) {
      guard found.count < limit else { break }
      if let bot = self[id], isMeant(bot) { found.append(bot) }
    }
    return found
  }

  /// The bot with this id.
  public subscript(id: String) -> Bot? { slots[id].flatMap { records[$0] } }

  /// The bot in a slot.
  func record(_ slot: Int) -> Bot? { records.dropFirst(slot).first ?? nil }

  /// The types of task that some capability covers, sorted.
  public var taskTypes: [String] { entries.keys.sorted() }

  /// Adds a bot. A bot with the same id is replaced, and its load and its turn are lost.
  public mutating func register(_ bot: Bot) {
    _ = remove(bot.id)
    // Free slots are used again, so that the arrays don't grow with each registration.
    let slot = freeSlots.popLast() ?? grow()
    slots[bot.id] = slot
    records[slot] = bot
    botSlots[slot] = BotSlot()
    order.insert(bot.id, at: order.place(of: bot.id))
    index(bot, in: slot)
    count(slot)
  }

  /// Replaces a bot's definition. Its load stays, even where its number of slots shrinks.
  /// - Returns: the actions that the caller must perform, or nil if there is no such bot.
  public mutating func update(_ id: String, _ definition: BotDefinition) -> [BotAction]? {
    guard let slot = slots[id], var bot = records[slot] else { return nil }
    let before = bot.status
    // The entries and totals of the old definition are removed before the definition is replaced,
    // because they are computed from it.
    uncount(slot)
    unindex(bot, in: slot)
    bot.definition = definition
    records[slot] = bot
    index(bot, in: slot)
    count(slot)
    return bot.status == before ? [] : [.announce(bot.status)]
  }

  /// Gives a bot no tasks of these types, whatever its definition says. What it has stays.
  public mutating func withhold(_ types: Set<String>, from id: String) {
    guard let slot = slots[id], var bot = records[slot], bot.withheld != types else { return }
    uncount(slot)
    unindex(bot, in: slot)
    bot.withheld = types
    records[slot] = bot
    index(bot, in: slot)
    count(slot)
  }

  /// Removes a bot.
  /// - Returns: the bot before its removal, or nil if there is none.
  @discardableResult
  public mutating func remove(_ id: String) -> Bot? {
    guard let slot = slots.removeValue(forKey: id), let bot = records[slot] else { return nil }
    uncount(slot)
    order.remove(at: order.place(of: id))
    unindex(bot, in: slot)
    records[slot] = nil
    botSlots[slot] = BotSlot()
    freeSlots.append(slot)
    return bot
  }

  /// Applies an event to a bot. ``BotStateMachine/Event/unregister`` removes the bot.
  /// - Returns: the actions that the caller must perform, in order, or nil if there is no such bot.
  public mutating func apply(_ event: BotStateMachine.Event, to id: String, at now: Int64)
    -> [BotAction]?
  {
    guard let slot = slots[id], var bot = records[slot] else { return nil }
    let before = bot.status
    var actions = bot.lifecycle.apply(event)
    // An older time must not replace a newer one, or the bot could look silent.
    if event == .heartbeat { bot.lastHeartbeat = max(bot.lastHeartbeat, now) }
    if event == .unregister {
      remove(id)
      return actions
    }
    // `online` may show as `busy`, because no slot is free.
    actions.removeAll { if case .announce = $0 { true } else { false } }
    if bot.status != before { actions.insert(.announce(bot.status), at: 0) }
    // A bot without tasks has nothing to end, so it is drained at once.
    if bot.status == .draining, before != .draining, bot.load.total == 0 {
      actions.append(.drained)
    }
    records[slot] = bot
    botSlots[slot].takes = bot.lifecycle.takesTasks
    count(slot)
    return actions
  }

  /// The present bots without a heartbeat for `timeout` milliseconds, sorted by id.
  public func silent(at now: Int64, after timeout: Int64) -> [String] {
    records.compactMap { bot in
      guard let bot, !bot.lifecycle.status.losesTasks else { return nil }
      return bot.isSilent(at: now, after: timeout) ? bot.id : nil
    }.sorted()
  }

  /// Corrects the times of all bots after the wall clock was set by `milliseconds`. The age of each
  /// heartbeat stays the same.
  public mutating func move(by milliseconds: Int64) {
    for slot in records.indices {
      guard let bot = records[slot] else { continue }
      records[slot]?.lastHeartbeat = bot.lastHeartbeat.adding(milliseconds)
    }
  }

  private mutating func grow() -> Int {
    records.append(nil)
    botSlots.append(BotSlot())
    cellsOf.append([])
    return records.count - 1
  }

  mutating func nextTurn() -> Int64 {
    turns += 1
    return turns
  }

  // MARK: Index

  private mutating func index(_ bot: Bot, in slot: Int) {
    let definition = bot.definition
    botSlots[slot].load = Int32(clamping: bot.load.total)
    botSlots[slot].most = Int32(clamping: definition.maxConcurrentTasks)
    botSlots[slot].takes = bot.lifecycle.takesTasks
    botSlots[slot].levels = definition.priorityPreference.reduce(0) { $0 | $1.bit }
    botSlots[slot].lastActive = bot.lastActive
    cellsOf[slot] = definition.capabilities.map { capability in
      let cell = Cell(
        load: Int32(clamping: bot.load.count(of: capability.name)),
        most: Int32(clamping: capability.maxConcurrent ?? .max))
      guard let free = freeCells.popLast() else {
        cells.append(cell)
        return Int32(cells.count - 1)
      }
      cells[Int(free)] = cell
      return free
    }
    for type in bot.taskTypes {
      // Entries are sorted by the bot's id. Decisions rely on this order.
      let mine = bot.capabilities(for: type).map { position, capability in
        Entry(
          slot: Int32(slot), cell: cellsOf[slot][position],
          boost: Int32(clamping: capability.priorityBoost), position: Int32(position))
      }
      let place = place(of: bot.id, in: entries[type] ?? [])
      entries[type, default: []].insert(contentsOf: mine, at: place)
    }
  }

  private mutating func unindex(_ bot: Bot, in slot: Int) {
    for type in bot.taskTypes {
      entries[type]?.removeAll { Int($0.slot) == slot }
      if entries[type]?.isEmpty ?? false { entries[type] = nil }
    }
    freeCells.append(contentsOf: cellsOf[slot])
    cellsOf[slot] = []
  }

  /// The index at which the entries of a bot begin or would begin.
  private func place(of id: String, in list: [Entry]) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      let other = records[Int(list[middle].slot)]?.id ?? ""
      (low, high) = other < id ? (middle + 1, high) : (low, middle)
    }
    return low
  }
}

extension [String] {
  /// Returns the index of a text in sorted texts, or the index where it belongs.
  fileprivate func place(of text: String) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      let isBefore = dropFirst(middle).first.map { $0 < text } ?? false
      (low, high) = isBefore ? (middle + 1, high) : (low, middle)
    }
    return low
  }
}
