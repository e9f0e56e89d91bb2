internal import AgentAssignment
internal import AgentStore
internal import AgentSystem
internal import AgentTasks

/// What the dispatcher knows beside the database: all of it can be found there again.
struct DispatcherState {
  /// A lease.
  struct Key: Hashable {
    let task: Int64
    let attempt: Int64
  }

  /// A task in a bot's hands.
  struct Held {
    let bot: String
    let capability: String?
    let strategy: String
    /// How long the bot may be silent, where it has said so.
    var silence: Int64?
  }

  /// What is known of a bot beside the roster.
  struct Record {
    var owner: String?
    /// It sends heartbeats.
    var beats = false
    /// What whoever defined it may have done.
    var authority: TaskAuthority
    /// The bytes of its definition; nil for a bot of the settings, which isn't counted.
    var bytes: Int?
    /// When it last came: offers that it let pass before don't count against it any more.
    var since: Int64 = 0
  }

  /// A strategy of a module that isn't asked now.
  struct Resting {
    let until: Int64
    let reason: String
  }

  var plan = BotPlan()
  /// The types that the host does, and since which plan bots aren't given them.
  var taskPlan = TaskPlan()
  var phase = ServicePhase.starting
  var roster = BotRoster()
  var records: [String: Record] = [:]
  /// What each owner has registered.
  var shares = BotShares()
  var held: [Key: Held] = [:]
  var resting: [String: Resting] = [:]
  /// What somebody has chosen.
  var chosenStrategy: AssignmentStrategy?
  /// The bots of the agent's own, by id.
  var local: [String: LocalBot] = [:]
  /// Those that are instances of pools, by the pool.
  var pooled: [String: [LocalBot]] = [:]
  /// Whether the worker of each local bot is up, where a report of it has come.
  var workersUp: [String: Bool] = [:]
  /// What they do.
  var works: [Key: Task<Void, Never>] = [:]
  /// Bots to which an offer is being delivered.
  var deliveries: [Key: Task<Void, Never>] = [:]
  var statistics: [String: StrategyStatistics] = [:]
  /// Tasks for which the host has reported that nobody can ever take them.
  var alarmed: Set<Int64> = []
  /// Tasks that were queued since they were last looked at, and may have to be reported
  /// because nobody can take them.
  var fresh: [TaskRow] = []
  var freshBytes = 0
  /// All that waits is to be looked at, since other bots can do other things now.
  var looksAtAll = true
  /// The same, once some bot has a free slot.
  var looksAtAllWithFreeBots = false
  /// Bots that are offline, where that couldn't be stored yet: the latest loss of each.
  var losses: [String: BotLoss] = [:]
  /// No bot is silent before this moment.
  var silentFrom: Int64 = 0
  /// How far what waits was looked at, where it was too much for one go.
  var scanned: QueuePosition?
  /// The callers that wait for a bot's next task, by the bot and a number.
  var listeners: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
  var lastListener = 0
  /// What else ends with a bot's registration, in the same commit.
  var ending: (@Sendable (String, any StoreTransaction) throws -> Void)?

  /// Bots of the settings that are gone, for which that wasn't done yet.
  var gone: Set<String> = []

  /// By what it is decided who gets a task.
  var strategy: AssignmentStrategy { chosenStrategy ?? plan.strategy }

  /// Types that some bot does which is there, and those for which any is registered; nil before it
  /// is known who is registered.
  var knownTypes: TypesOfBots? {
    guard phase.openStore != nil else { return nil }
    return TypesOfBots(
      done: plan.pooledTypes.union(roster.standing.types.keys),
      known: plan.pooledTypes.union(roster.taskTypes))
  }

  /// The clock may have been set: the last heartbeats keep their age.
  mutating func applyJump(of clock: LeaseClock) {
    let jump = clock.takeJump()
    guard jump != 0 else { return }
    roster.move(by: jump)
    // Computed before the jump: the next look computes it from the moved heartbeats.
    silentFrom = 0
    for id in records.keys { records[id]?.since.move(by: jump) }
  }

  /// A bot hasn't a task any more.
  /// - Returns: what it had, where it had it.
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
  /// What has come of taking in the bots of a plan.
  struct Adoption {
    /// Those that weren't there.
    var new: [String] = []
    /// Those that aren't wanted any more, as they were.
    var gone: [Bot] = []
    /// Those whose ids others have.
    var refused: [String] = []
  }

  /// Whether a bot of the agent's own can work.
  func isThere(_ bot: LocalBot) -> Bool { workersUp[bot.worker] ?? bot.isStartedOnDemand }

  /// Takes in the bots of a plan instead of those there were.
  mutating func adopt(_ wanted: [LocalBot], at now: Int64) -> Adoption {
    var adoption = Adoption()
    let ids = Set(wanted.map(\.id))
    for id in local.keys.sorted() where !ids.contains(id) {
      // As it is now: once it is unregistered nobody can report it any more.
      adoption.gone += [roster[id]].compactMap(\.self)
      _ = roster.apply(.unregister, to: id, at: now)
      local[id] = nil
      forget(id)
    }
    for bot in wanted {
      if local[bot.id] != nil {
        local[bot.id] = bot
        if roster[bot.id]?.definition != bot.definition {
          _ = roster.update(bot.id, bot.definition)
        }
        // A reload keeps the bot, but its process may have started or ended since.
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
        // Registered as lost while its process is down: it is online with the first report.
        lifecycle: isThere(bot) ? .said(.online) : .lost(was: .online), registered: now))
  }
}
