internal import AgentAssignment
internal import AgentStore

/// What the desk knows beside the database: all of it can be found there again.
struct DeskState {
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
    /// When it last came: offers that it let pass before don't count against it any more.
    var since: Int64 = 0
  }

  /// A task whose escalation is watched.
  struct Watched {
    let policy: EscalationPolicy
    var history: EscalationPolicy.History
    var situation: EscalationPolicy.Situation
  }

  /// A strategy of a module that isn't asked now.
  struct Resting {
    let until: Int64
    let reason: String
  }

  var plan = BotPlan()
  var store: (any Store)?
  var roster = Roster()
  var records: [String: Record] = [:]
  var held: [Key: Held] = [:]
  var resting: [String: Resting] = [:]
  /// What somebody has chosen.
  var chosenStrategy: AssignmentStrategy?
  /// The bots of the agent's own, by id.
  var own: [String: OwnBot] = [:]
  /// Those that are instances of pools, by the pool.
  var pooled: [String: [OwnBot]] = [:]
  /// What they live in, as far as something was heard of it, and whether it is up.
  var homes: [String: Bool] = [:]
  /// What they do.
  var works: [Key: Task<Void, Never>] = [:]
  /// Bots that are being told of what they are offered.
  var deliveries: [Key: Task<Void, Never>] = [:]
  /// Nothing is begun any more.
  var isStopping = false
  var figures: [String: StrategyFigures] = [:]
  /// Tasks of which it was told that nobody can ever take them.
  var alarmed: Set<Int64> = []
  var watched: [Int64: Watched] = [:]
  /// How far what waits was looked at, where it was too much for one go.
  var scanned: LanePosition?
  /// Who waits for a bot's next task, by the bot and a number.
  var listeners: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
  var lastListener = 0

  /// By what it is decided who gets a task.
  var strategy: AssignmentStrategy { chosenStrategy ?? plan.strategy }

  /// Types that some bot does which is there, and those for which any is registered.
  var types: (done: Set<String>, known: Set<String>) {
    var done = plan.pooledTypes
    var known = plan.pooledTypes
    for bot in roster.bots {
      let types = bot.definition.capabilities.flatMap(\.taskTypes)
      known.formUnion(types)
      if bot.status != .offline, bot.status != .error { done.formUnion(types) }
    }
    return (done, known)
  }

  /// A bot hasn't a task any more.
  /// - Returns: what it had, where it had it.
  mutating func letGo(_ key: Key, at now: Int64) -> (held: Held, actions: [BotAction])? {
    guard let held = held.removeValue(forKey: key) else { return nil }
    let actions = roster.end(held.bot, capability: held.capability, at: now) ?? []
    return (held, actions)
  }
}

extension DeskState {
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
  func isThere(_ bot: OwnBot) -> Bool { homes[bot.home] ?? bot.isStartedOnDemand }

  /// Takes in the bots of a plan instead of those there were.
  mutating func adopt(_ wanted: [OwnBot], at now: Int64) -> Adoption {
    var adoption = Adoption()
    let ids = Set(wanted.map(\.id))
    for id in own.keys.sorted() where !ids.contains(id) {
      adoption.gone += [roster[id]].compactMap(\.self)
      _ = roster.apply(.unregister, to: id, at: now)
      (own[id], records[id]) = (nil, nil)
    }
    for bot in wanted {
      if own[bot.id] != nil {
        own[bot.id] = bot
        if roster[bot.id]?.definition != bot.definition {
          _ = roster.update(bot.id, bot.definition)
        }
        let event: BotLife.Event = isThere(bot) ? .heartbeat : .heartbeatMissed
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

  private mutating func register(_ bot: OwnBot, at now: Int64) {
    own[bot.id] = bot
    records[bot.id] = Record(owner: "settings", since: now)
    roster.register(
      Bot(
        id: bot.id, definition: bot.definition,
        life: isThere(bot) ? .said(.online) : .lost(was: .online), registered: now))
  }
}
