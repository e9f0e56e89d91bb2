/// How bots stand, counted as it changes: nobody goes over all of them to know it.
extension BotRoster {
  /// What was counted of a bot.
  struct Tally: Hashable {
    let status: BotStatus
    let load: Int
    let most: Int
    /// It takes tasks and has room.
    let isOpen: Bool

    init(_ bot: Bot, _ seat: BotSlot) {
      (status, isOpen) = (bot.status, seat.takes && seat.hasRoom)
      (load, most) = (bot.load.total, bot.definition.maxConcurrentTasks)
    }

    /// It is there, whether it has time or not.
    var isThere: Bool { !status.losesTasks }
    var works: Bool { status == .online || status == .busy }
  }

  /// How all of them stand.
  public struct Standing: Sendable, Hashable {
    /// How many bots are in a status.
    public internal(set) var byStatus: [BotStatus: Int] = [:]
    /// How many tasks those have that are online or busy.
    public internal(set) var load = 0
    /// For how many tasks those have room, as a whole.
    public internal(set) var most = 0
    /// By type of task: how many bots that do it are there.
    public internal(set) var types: [String: Int] = [:]
    /// Who has room.
    public internal(set) var room = BotRoom()
  }

  /// Counts a bot as it is now. To be called with every change of one.
  mutating func count(_ slot: Int) {
    guard let bot = record(slot), let seat = seats.dropFirst(slot).first else { return }
    let next = Tally(bot, seat)
    guard next != tallies[slot] else { return }
    let former = tallies[slot]
    tallies[slot] = next
    note(bot, former, next)
  }

  /// Counts a bot no longer: it goes, or becomes another one.
  mutating func uncount(_ slot: Int) {
    guard let bot = record(slot), let former = tallies[slot] else { return }
    tallies[slot] = nil
    note(bot, former, nil)
  }

  private mutating func note(_ bot: Bot, _ former: Tally?, _ next: Tally?) {
    for (tally, sign) in [(former, -1), (next, 1)] {
      guard let tally else { continue }
      Self.add(sign, to: tally.status, in: &standing.byStatus)
      guard tally.works else { continue }
      standing.load += sign * tally.load
      standing.most += sign * tally.most
    }
    let (wasThere, isThere) = (former?.isThere ?? false, next?.isThere ?? false)
    let (wasOpen, isOpen) = (former?.isOpen ?? false, next?.isOpen ?? false)
    guard wasThere != isThere || wasOpen != isOpen else { return }
    for type in Set(bot.definition.capabilities.flatMap(\.taskTypes)) {
      if wasThere != isThere { Self.add(isThere ? 1 : -1, to: type, in: &standing.types) }
      if wasOpen != isOpen { Self.add(isOpen ? 1 : -1, to: type, in: &standing.room.types) }
    }
    if wasOpen != isOpen, isOpen { standing.room.bots.insert(bot.id) }
    if wasOpen != isOpen, !isOpen { standing.room.bots.remove(bot.id) }
  }

  private static func add<Key>(_ sign: Int, to key: Key, in counts: inout [Key: Int]) {
    let count = counts[key, default: 0] + sign
    counts[key] = count == 0 ? nil : count
  }
}
