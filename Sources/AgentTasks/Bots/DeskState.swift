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
  var strategy = AssignmentStrategy.bestFit
  var resting: [String: Resting] = [:]
  var figures: [String: StrategyFigures] = [:]
  /// Tasks of which it was told that nobody can ever take them.
  var alarmed: Set<Int64> = []
  var watched: [Int64: Watched] = [:]
  /// Who waits for a bot's next task, by the bot and a number.
  var listeners: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
  var lastListener = 0

  /// Types that some bot does which is there, and those for which any is registered.
  var types: (done: Set<String>, known: Set<String>) {
    var done: Set<String> = []
    var known: Set<String> = []
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
