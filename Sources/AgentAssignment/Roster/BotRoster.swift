internal import AgentSystem

/// The bots, and who of them gets a task. A value: no clock, no I/O; times are Unix milliseconds.
///
/// Who could take a type of task is found by one look-up, and compared by numbers that lie side by
/// side: a decision among 1,000 bots takes microseconds. Same roster, same task, same answer.
public struct BotRoster: Sendable {
  var slots: [String: Int] = [:]
  var records: [Bot?] = []
  var seats: [BotSlot] = []
  /// Of each bot the cells of its capabilities, in their order.
  var cellsOf: [[Int32]] = []
  var cells: [Cell] = []
  /// By type of task: capabilities by the bot's id, of one bot the best first.
  var entries: [String: [Entry]] = [:]
  /// By slot.
  var tallies: [Int: Tally] = [:]
  /// How all of them stand.
  public internal(set) var standing = Standing()
  /// Their ids, in order.
  private var order: [String] = []
  private var freeSlots: [Int] = []
  private var freeCells: [Int32] = []
  private var turns: Int64 = 0

  /// Nobody.
  public init() {}

  /// How many bots there are.
  public var count: Int { slots.count }

  /// Whether some bot takes tasks at the moment.
  public var hasRoom: Bool { !standing.room.bots.isEmpty }

  /// The bots by their ids.
  public var bots: [Bot] { order.compactMap { self[$0] } }

  /// Bots by their ids: those with a greater one than `id`, at most `limit` of those that are meant.
  /// No more are looked at than it takes to find them.
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

  /// The types of task that some bot's capability covers, by name.
  public var taskTypes: [String] { entries.keys.sorted() }

  /// Takes a bot in; one with the same id is replaced, and keeps neither load nor turn.
  public mutating func register(_ bot: Bot) {
    _ = remove(bot.id)
    let slot = freeSlots.popLast() ?? grow()
    slots[bot.id] = slot
    records[slot] = bot
    seats[slot] = BotSlot()
    order.insert(bot.id, at: order.place(of: bot.id))
    index(bot, in: slot)
    count(slot)
  }

  /// Says anew what a bot is; what it has to do stays, even where its room became less.
  /// - Returns: what is to be done; nil if there is no such bot.
  public mutating func update(_ id: String, _ definition: BotDefinition) -> [BotAction]? {
    guard let slot = slots[id], var bot = records[slot] else { return nil }
    let before = bot.status
    uncount(slot)
    unindex(bot, in: slot)
    bot.definition = definition
    records[slot] = bot
    index(bot, in: slot)
    count(slot)
    return bot.status == before ? [] : [.announce(bot.status)]
  }

  /// Takes a bot out.
  /// - Returns: the bot as it was; nil if there is none.
  @discardableResult
  public mutating func remove(_ id: String) -> Bot? {
    guard let slot = slots.removeValue(forKey: id), let bot = records[slot] else { return nil }
    uncount(slot)
    order.remove(at: order.place(of: id))
    unindex(bot, in: slot)
    records[slot] = nil
    seats[slot] = BotSlot()
    freeSlots.append(slot)
    return bot
  }

  /// Something happens to a bot. After ``BotStateMachine/Event/unregister`` it isn't here any more.
  /// - Returns: what is to be done, in order; nil if there is no such bot.
  public mutating func apply(_ event: BotStateMachine.Event, to id: String, at now: Int64)
    -> [BotAction]?
  {
    guard let slot = slots[id], var bot = records[slot] else { return nil }
    let before = bot.status
    var actions = bot.life.apply(event)
    if event == .heartbeat { bot.lastHeartbeat = max(bot.lastHeartbeat, now) }
    if event == .unregister {
      remove(id)
      return actions
    }
    // `online` may show as `busy`, for want of room.
    actions.removeAll { if case .announce = $0 { true } else { false } }
    if bot.status != before { actions.insert(.announce(bot.status), at: 0) }
    if bot.status == .draining, before != .draining, bot.load.total == 0 {
      actions.append(.drained)
    }
    records[slot] = bot
    seats[slot].takes = bot.life.takesTasks
    count(slot)
    return actions
  }

  /// The bots that weren't heard of for so many milliseconds and count as there, by their ids.
  public func silent(at now: Int64, after timeout: Int64) -> [String] {
    records.compactMap { bot in
      guard let bot, !bot.life.status.losesTasks else { return nil }
      return bot.isSilent(at: now, after: timeout) ? bot.id : nil
    }.sorted()
  }

  /// The wall clock was set by so many milliseconds: who was heard of was so as long ago as before.
  public mutating func move(by milliseconds: Int64) {
    for slot in records.indices {
      guard let bot = records[slot] else { continue }
      records[slot]?.lastHeartbeat = bot.lastHeartbeat.adding(milliseconds)
    }
  }

  private mutating func grow() -> Int {
    records.append(nil)
    seats.append(BotSlot())
    cellsOf.append([])
    return records.count - 1
  }

  mutating func nextTurn() -> Int64 {
    turns += 1
    return turns
  }

  // MARK: the index

  private mutating func index(_ bot: Bot, in slot: Int) {
    let definition = bot.definition
    seats[slot].load = Int32(clamping: bot.load.total)
    seats[slot].most = Int32(clamping: definition.maxConcurrentTasks)
    seats[slot].takes = bot.life.takesTasks
    seats[slot].levels = definition.priorityPreference.reduce(0) { $0 | $1.bit }
    seats[slot].lastActive = bot.lastActive
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
    for type in Set(definition.capabilities.flatMap(\.taskTypes)) {
      let mine = definition.capabilities(for: type).map { position, capability in
        Entry(
          slot: Int32(slot), cell: cellsOf[slot][position],
          boost: Int32(clamping: capability.priorityBoost), position: Int32(position))
      }
      let place = place(of: bot.id, in: entries[type] ?? [])
      entries[type, default: []].insert(contentsOf: mine, at: place)
    }
  }

  private mutating func unindex(_ bot: Bot, in slot: Int) {
    for type in Set(bot.definition.capabilities.flatMap(\.taskTypes)) {
      entries[type]?.removeAll { Int($0.slot) == slot }
      if entries[type]?.isEmpty ?? false { entries[type] = nil }
    }
    freeCells.append(contentsOf: cellsOf[slot])
    cellsOf[slot] = []
  }

  /// Where the entries of a bot begin or would begin.
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
  /// Where a text stands or would stand in texts that are in order.
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
