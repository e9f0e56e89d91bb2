public import AgentAssignment

/// `bots`: the registry of bots, their assignment, and the local bots.
public struct BotSettings: Sendable, Hashable {
  /// The maximum number of registered bots.
  public var max = 10_000
  /// The types of bots beside the built-in ones.
  public var types: [String] = []
  /// The name of the strategy that assigns tasks at the start. A choice that was made while the
  /// host ran wins over it.
  public var strategy = AssignmentStrategy.bestFit.name
  /// How long an offer waits for an answer, in milliseconds.
  public var answerWithinMs: Int64 = 300_000
  /// The lease of a task, in milliseconds. A bot that sends heartbeats for the task loses it after
  /// this time without one.
  public var leaseMs: Int64 = 60_000
  /// How long after its last heartbeat a bot goes offline, in milliseconds.
  public var heartbeatTimeoutMs: Int64 = 90_000
  /// Whether webhooks of bots may go to private addresses and to this machine.
  public var allowsPrivate = false
  /// The local bots, sorted by name. Each is a module's action.
  public var local: [LocalBotSettings] = []
  /// The pools of process instances, sorted by name.
  public var pools: [BotPoolSettings] = []

  public init() {}
}

/// An entry of `bots.local`: a local bot, which is a module's action.
public struct LocalBotSettings: Sendable, Hashable {
  /// The name, which is also the bot's id.
  public let name: String
  public let definition: BotDefinition
  public let module: String
  public let action: String
  /// The process whose worker runs the action. Nil means the module's service worker.
  public let process: String?
}

/// An entry of `bots.pools`: the number of instances of a process.
public struct BotPoolSettings: Sendable, Hashable {
  /// The name. The instances are `NAME-1`, `NAME-2` and so on.
  public let name: String
  public let process: String
  /// The minimum number of instances.
  public let min: Int
  /// The maximum number of instances.
  public let max: Int
  /// The longest time that a task should wait, in milliseconds.
  public let targetQueueTimeMs: Int64
  /// The shortest time between a change and the next increase, in milliseconds.
  public let growAfterMs: Int64
  /// How long fewer instances must have been enough before the pool shrinks, in milliseconds.
  public let shrinkAfterMs: Int64

  /// Returns the name of an instance.
  func instance(_ number: Int) -> String { "\(name)-\(number)" }
}
