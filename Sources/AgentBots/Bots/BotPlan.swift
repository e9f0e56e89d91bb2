public import AgentAssignment
public import AgentJSON
internal import AgentTasks

/// The rules for bots and assignments, from the settings. Times are in milliseconds.
public struct BotPlan: Sendable {
  /// Sends a question to a strategy of a module, and returns its answer.
  public typealias Ask = @Sendable (JSONObject) async throws -> JSONValue

  /// The time in which a bot must answer an offer. Offers to people don't expire.
  public var answerWithin: Int64 = 300_000
  /// The longest time between two heartbeats for a task. After it, the bot loses the task.
  public var lease: Int64 = 60_000
  /// The longest time between two heartbeats of a bot. After it, the bot is offline.
  public var heartbeatTimeout: Int64 = 90_000
  /// The number of waiting tasks in one page of a scan.
  public var maxAtOnce = 1_000
  /// The maximum number of registered bots. Bots of the settings don't count.
  public var maxBots = 10_000
  /// The maximum number of bots of one owner. An unrestricted caller may exceed it.
  public var maxBotsEach = 1_000
  /// The maximum number of bytes that the definitions of one owner's bots have together. An
  /// unrestricted caller may exceed it.
  public var maxBytesEach = 4 << 20
  /// The types of bots that the settings define, in addition to the built-in ones.
  public var types: [String] = []
  /// The strategy that assigns tasks until a request chooses another.
  public var strategy = AssignmentStrategy.bestFit
  /// The bots that the settings define.
  public var local: [LocalBot] = []
  /// The types of tasks that pools run. Their tasks wait for bots even while a pool has no
  /// instance.
  public var pooledTypes: Set<String> = []
  /// Sends offers to the webhooks of bots. Nil sends none.
  public var call: BotCall.Sender?
  /// The strategies of modules, by their names.
  public var strategies: [String: Ask] = [:]

  /// Creates a plan with the default values.
  public init() {}

  /// The maximum number of bytes that the metadata and the contact of a bot have together.
  public static let maxDataBytes = 16 << 10

  /// Ten years, for leases that don't expire. A database column needs a number.
  static let forever: Int64 = 315_360_000_000
}
