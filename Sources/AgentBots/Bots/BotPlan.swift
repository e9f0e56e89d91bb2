public import AgentAssignment
public import AgentJSON
internal import AgentTasks

/// By which rules bots are kept and given tasks. Times are milliseconds.
public struct BotPlan: Sendable {
  /// Asks a strategy of a module: what it is asked, and what it answers.
  public typealias Ask = @Sendable (JSONObject) async throws -> JSONValue

  /// For how long a bot may leave an offer unanswered; a person may for ever.
  public var answerWithin: Int64 = 300_000
  /// How long a bot that sends heartbeats for a task may be silent until it loses the task.
  public var lease: Int64 = 60_000
  /// How long a bot that sends heartbeats may be silent until it counts as offline.
  public var heartbeatTimeout: Int64 = 90_000
  /// How many tasks that wait are looked at in one go.
  public var maxAtOnce = 1_000
  /// How many bots may be registered.
  public var maxBots = 10_000
  /// How many of them one owner may have who doesn't administer the agent.
  public var maxBotsEach = 1_000
  /// How many bytes the definitions of such an owner's bots may have together.
  public var maxBytesEach = 4 << 20
  /// The agent's own types of bot.
  public var types: [String] = []
  /// By what it is decided who gets a task, as long as nobody has chosen.
  public var strategy = AssignmentStrategy.bestFit
  /// Bots that are part of this agent.
  public var local: [LocalBot] = []
  /// The types of tasks that pools do, however many instances they have: what is of them waits for
  /// bots.
  public var pooledTypes: Set<String> = []
  /// Tells bots what they are offered; nil for not at all.
  public var call: BotCall.Sender?
  /// The strategies of modules, by name.
  public var strategies: [String: Ask] = [:]

  /// What is usual.
  public init() {}

  /// How many bytes the metadata of a bot and its contact may have together.
  public static let maxDataBytes = 16 << 10

  /// As good as for ever: ten years.
  static let forever: Int64 = 315_360_000_000
}
