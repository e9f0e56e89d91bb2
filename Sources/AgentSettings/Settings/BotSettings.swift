public import AgentAssignment

/// `bots`: how bots are kept and given tasks, and which of them this agent has itself.
public struct BotSettings: Sendable, Hashable {
  /// Types beside the built-in ones.
  public var types: [String] = []
  /// By what it is decided who gets a task, as long as nobody has chosen.
  public var strategy = AssignmentStrategy.bestFit.name
  /// Milliseconds for which an offer may wait for an answer.
  public var answerWithinMs: Int64 = 300_000
  /// Milliseconds for which a bot that sends heartbeats for a task may be silent.
  public var leaseMs: Int64 = 60_000
  /// Milliseconds after which a bot whose heartbeats stopped is offline.
  public var heartbeatTimeoutMs: Int64 = 90_000
  /// Whether webhooks of bots may lead to a private address, or this machine.
  public var allowsPrivate = false
  /// The bots that are modules' actions, by name.
  public var own: [LocalBotSettings] = []
  /// Pools of instances of processes, by name.
  public var pools: [BotPoolSettings] = []

  /// As it is when the settings say nothing.
  public init() {}
}

/// An entry of `bots.own`: a bot that is a module's action.
public struct LocalBotSettings: Sendable, Hashable {
  /// Its name, which is its id.
  public let name: String
  /// What it is.
  public let definition: BotDefinition
  /// The module.
  public let module: String
  /// The module's action.
  public let action: String
  /// In whose worker the action is called; nil for the module's own.
  public let process: String?
}

/// An entry of `bots.pools`: how many instances of a process there are.
public struct BotPoolSettings: Sendable, Hashable {
  /// Its name; its instances are `NAME-1`, `NAME-2` and so on.
  public let name: String
  /// The process.
  public let process: String
  /// The fewest instances.
  public let min: Int
  /// The most.
  public let max: Int
  /// Milliseconds that a task shall wait at most.
  public let targetQueueTimeMs: Int64
  /// Milliseconds after a change before it is made larger again.
  public let growAfterMs: Int64
  /// Milliseconds for which fewer would have been enough before it is made smaller.
  public let shrinkAfterMs: Int64

  /// The name of an instance.
  func instance(_ number: Int) -> String { "\(name)-\(number)" }
}
