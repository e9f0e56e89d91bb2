internal import AgentAssignment
internal import AgentStore
internal import AgentSystem
internal import AgentTasks

/// The dispatcher's memory. After a restart, it is restored from the database and the settings,
/// except for the statistics of strategies.
struct DispatcherState {
  /// Identifies the lease of an attempt.
  struct Key: Hashable {
    let task: Int64
    let attempt: Int64
  }

  /// A task that a bot has been offered or is running.
  struct Held {
    let bot: String
    let capability: String?
    let strategy: String
    /// The number of the reservation.
    let number: Int64
    /// The longest time between heartbeats that the bot asked for, in milliseconds. Nil if it named
    /// none.
    var silence: Int64?
    /// Whether the assignment is stored. Before that, only the slot is reserved.
    var isStored = false
  }

  /// A part of the memory that requests change, and that the database has too.
  enum StoredPart: Hashable {
    case bot(String)
    case strategy
    /// The assignment of an attempt whose bot's slot is reserved.
    case assignment(Key)
  }

  /// The properties of a bot that the roster doesn't have.
  struct Record {
    var owner: String?
    /// Whether the bot has sent a heartbeat. Only then is it lost when heartbeats stop.
    var beats = false
    /// Whether a heartbeat has changed the bot, and that isn't stored yet.
    var isUnstored = false
    /// The permissions of the caller that registered or last updated the bot.
    var authority: TaskAuthority
    /// The size of the definition as JSON. Nil for a bot of the settings, which isn't counted.
    var bytes: Int?
    /// The moment, in Unix milliseconds, at which the bot last came online. Offers that it let
    /// expire before don't count against it.
    var since: Int64 = 0

    /// Whether a module's worker has registered the bot. The bot is offline while that worker
    /// doesn't run.
    var isOfWorker: Bool {
      ["process:", "module:"].contains { owner?.hasPrefix($0) == true }
    }
  }

  /// A strategy of a module that is paused after a slow failure.
  struct Resting {
    let until: Int64
    let reason: String
  }

  var plan = BotPlan()
  /// The tasks' plan. It decides which types are withheld from bots.
  var taskPlan = TaskPlan()
  var phase = ServicePhase.starting
  var roster = BotRoster()
  var records: [String: Record] = [:]
  /// The number and size of the bots of each owner.
  var shares = BotShares()
  var held: [Key: Held] = [:]
  var resting: [String: Resting] = [:]
  /// The strategy that a request has chosen. Nil means the plan's.
  var chosenStrategy: AssignmentStrategy?
  /// The bots that the host runs, by id. Those of pools are included.
  var local: [String: LocalBot] = [:]
  /// The bots of each pool, by the pool's name.
  var pooled: [String: [LocalBot]] = [:]
  /// Whether each worker runs, by its name. A worker without a report isn't listed.
  var workersUp: [String: Bool] = [:]
  /// The attempts of local bots that are running.
  var works: [Key: Task<Void, Never>] = [:]
  /// The deliveries of offers to webhooks that are running.
  var deliveries: [Key: Task<Void, Never>] = [:]
  var statistics: [String: StrategyStatistics] = [:]
  /// The tasks for which the host has reported that no bot can ever take them.
  var unassignable: Set<Int64> = []
  /// The tasks that were queued since the last scan. The scan reports those that no bot can take.
  var fresh: [TaskRow] = []
  var freshBytes = 0
  /// Whether the next scan must examine all waiting tasks, because the bots have changed.
  var looksAtAll = true
  /// Whether a later scan must examine all waiting tasks, as soon as a bot has a free slot.
  var looksAtAllWithFreeBots = false
  /// The waiting tasks that the next scan must examine, because bots for them have changed.
  var affected = FreeBots()
  /// Those that a later scan must examine, as soon as a bot has a free slot.
  var affectedWithFreeBots = FreeBots()
  /// The losses that couldn't be stored yet: the latest of each bot.
  var losses: [String: BotLoss] = [:]
  /// The bots whose workers have ended, while it can't be stored that they are offline.
  var departures: [String: BotDeparture] = [:]
  /// The releases that couldn't be stored yet: the latest of each bot.
  var releases: [String: PendingRelease] = [:]
  /// The parts that a failed write may have stored nevertheless, until they are read again.
  var doubtful: Set<StoredPart> = []
  /// The number of the latest reservation or release.
  var lastNumber: Int64 = 0
  /// The bots that were lost before the start and still had tasks. The former process may have
  /// ended before it could requeue them. A bot may also have continued: not every heartbeat is
  /// stored.
  var unheard: Set<String> = []
  /// No bot can be silent before this moment, in Unix milliseconds. It saves a check of all bots.
  var silentFrom: Int64 = 0
  /// The place at which the last scan was cut. Nil if the scan reached the end.
  var scanned: ScanCut?
  /// The streams of callers that wait for offers, by the bot and a number.
  var listeners: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
  var lastListener = 0
  /// Additional changes in the transaction that removes a bot.
  var ending: (@Sendable (String, any StoreTransaction) throws -> Void)?

  /// The removed bots of the settings for which `ending` hasn't been called yet.
  var gone: Set<String> = []

  /// The strategy that assigns tasks now.
  var strategy: AssignmentStrategy { chosenStrategy ?? plan.strategy }

  /// The types of tasks that available bots run, and those for which any bot is registered. Nil
  /// before the registered bots have been read.
  var knownTypes: TypesOfBots? {
    guard phase.openStore != nil else { return nil }
    return TypesOfBots(
      done: plan.pooledTypes.union(roster.standing.types.keys),
      known: plan.pooledTypes.union(roster.taskTypes))
  }

  /// Corrects the stored moments after the clock was set. The age of each heartbeat stays the same.
  mutating func applyJump(of clock: LeaseClock) {
    let jump = clock.takeJump()
    guard jump != 0 else { return }
    roster.move(by: jump)
    // It was computed before the jump. Zero makes the next check compute it again.
    silentFrom = 0
    for id in records.keys { records[id]?.since.move(by: jump) }
  }

  /// Removes a task from a bot.
  /// - Returns: the former entry, and the actions that the caller must perform. Nil if the bot
  ///   doesn't have the task.
  mutating func removeAssignment(_ key: Key, at now: Int64) -> (held: Held, actions: [BotAction])? {
    guard let held = held.removeValue(forKey: key) else { return nil }
    let actions = roster.end(held.bot, capability: held.capability, at: now) ?? []
    return (held, actions)
  }
}

extension Int64 {
  fileprivate mutating func move(by milliseconds: Int64) { self = adding(milliseconds) }
}

extension DispatcherState {
  /// The changes that a new plan made to the local bots.
  struct Adoption {
    /// The ids of the added bots.
    var new: [String] = []
    /// The removed bots, in their last state.
    var gone: [Bot] = []
    /// The ids that other registered bots have. These local bots were not added.
    var refused: [String] = []
  }

  /// Whether a local bot can work: its worker runs, or starts on demand.
  func isThere(_ bot: LocalBot) -> Bool { workersUp[bot.worker] ?? bot.isStartedOnDemand }

  /// Replaces the local bots by those of a plan.
  /// - Parameter now: in Unix milliseconds.
  mutating func adopt(_ wanted: [LocalBot], at now: Int64) -> Adoption {
    var adoption = Adoption()
    let ids = Set(wanted.map(\.id))
    for id in local.keys.sorted() where !ids.contains(id) {
      // Read before the bot is unregistered: the event shows its last state.
      adoption.gone += [roster[id]].compactMap(\.self)
      _ = roster.apply(.unregister, to: id, at: now)
      local[id] = nil
      forget(id)
    }
    for bot in wanted {
      if local[bot.id] != nil {
        local[bot.id] = bot
        // An update of an equal definition would rebuild the roster's indexes.
        if roster[bot.id]?.definition != bot.definition {
          _ = roster.update(bot.id, bot.definition)
        }
        // The bot stays after a reload, but its process may have started or ended since.
        let event: BotStateMachine.Event = isThere(bot) ? .heartbeat : .heartbeatMissed
        _ = roster.apply(event, to: bot.id, at: now)
      } else if roster[bot.id] != nil {
        adoption.refused.append(bot.id)
      } else {
        adoption.new.append(bot.id)
        register(bot, at: now)
      }
    }
    return adoption
  }

  private mutating func register(_ bot: LocalBot, at now: Int64) {
    local[bot.id] = bot
    let owner = TaskAuthority.unrestricted(as: "settings")
    enter(Record(owner: owner.actor, authority: owner, since: now), for: bot.id)
    roster.register(
      Bot(
        id: bot.id, definition: bot.definition,
        // Lost until its worker runs: the worker's first report brings it online.
        lifecycle: isThere(bot) ? .said(.online) : .lost(was: .online), registered: now))
  }
}
