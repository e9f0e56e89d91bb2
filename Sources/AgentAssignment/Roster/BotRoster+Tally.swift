/// Totals over all bots. They are updated with each change, so that reading them needs no pass over
/// the bots.
extension BotRoster {
  /// The share of one bot in the totals.
  struct Tally: Hashable {
    let status: BotStatus
    let load: Int
    let most: Int
    /// Whether the bot takes tasks and has a free slot.
    let isOpen: Bool

    init(_ bot: Bot, _ botSlot: BotSlot) {
      (status, isOpen) = (bot.status, botSlot.takes && botSlot.hasFreeSlot)
      (load, most) = (bot.load.total, bot.definition.maxConcurrentTasks)
    }

    /// Whether the bot is present, with or without a free slot.
    var isThere: Bool { !status.losesTasks }
    var works: Bool { status == .online || status == .busy }
  }

  /// Totals over all bots.
  public struct Standing: Sendable, Hashable {
    /// The number of bots in each status.
    public internal(set) var byStatus: [BotStatus: Int] = [:]
    /// The number of tasks of all bots that are online or busy.
    public internal(set) var load = 0
    /// The number of slots of all bots that are online or busy.
    public internal(set) var most = 0
    /// The number of present bots, by the type of task that they do.
    public internal(set) var types: [String: Int] = [:]
    /// The bots with a free slot.
    public internal(set) var freeBots = FreeBots()
  }

  /// Adds a bot to the totals. It must be called after each change of a bot.
  mutating func count(_ slot: Int) {
    guard let bot = record(slot), let botSlot = botSlots.dropFirst(slot).first else { return }
    let next = Tally(bot, botSlot)
    guard next != tallies[slot] else { return }
    let former = tallies[slot]
    tallies[slot] = next
    note(bot, former: former, next: next)
  }

  /// Removes a bot from the totals. It is called when a bot is removed or redefined.
  mutating func uncount(_ slot: Int) {
    guard let bot = record(slot), let former = tallies[slot] else { return }
    tallies[slot] = nil
    note(bot, former: former, next: nil)
  }

  private mutating func note(_ bot: Bot, former: Tally?, next: Tally?) {
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
    for type in bot.taskTypes {
      if wasThere != isThere { Self.add(isThere ? 1 : -1, to: type, in: &standing.types) }
      if wasOpen != isOpen { Self.add(isOpen ? 1 : -1, to: type, in: &standing.freeBots.types) }
    }
    if wasOpen != isOpen, isOpen { standing.freeBots.bots.insert(bot.id) }
    if wasOpen != isOpen, !isOpen { standing.freeBots.bots.remove(bot.id) }
  }

  private static func add<Key>(_ sign: Int, to key: Key, in counts: inout [Key: Int]) {
    let count = counts[key, default: 0] + sign
    counts[key] = count == 0 ? nil : count
  }
}

/// The bots that have a free slot, and the types of task that they can take.
public struct FreeBots: Sendable, Hashable {
  /// The number of bots with a free slot, by type of task.
  public internal(set) var types: [String: Int] = [:]
  /// The ids of the bots with a free slot.
  public internal(set) var bots: Set<String> = []

  /// No bot has a free slot.
  public init() {}

  /// Creates a selection of waiting tasks: those of types, and those for a single bot.
  public init(types: Set<String>, bots: Set<String>) {
    self.types = Dictionary(uniqueKeysWithValues: types.map { ($0, 1) })
    self.bots = bots
  }

  /// Whether it selects no task.
  public var isEmpty: Bool { types.isEmpty && bots.isEmpty }

  /// Adds what another one selects.
  public mutating func formUnion(_ other: FreeBots) {
    types.merge(other.types) { max($0, $1) }
    bots.formUnion(other.bots)
  }
}
