public import AgentAssignment
public import AgentTasks

/// A bot that is part of this agent: what it is given is done by calling it.
public struct LocalBot: Sendable {
  /// Its id.
  public let id: String
  /// Its type, capabilities and limits.
  public let definition: BotDefinition
  /// The worker that runs it; ``TaskDispatcher/setWorker(_:isUp:why:)`` reports whether it is up.
  public let worker: String
  /// Whether its process is started on demand, so that only one that has failed keeps the bot
  /// from working.
  public let isStartedOnDemand: Bool
  /// Does its tasks.
  public let executor: any TaskExecutor

  /// Makes a bot.
  public init(
    id: String, definition: BotDefinition, worker: String, isStartedOnDemand: Bool,
    executor: any TaskExecutor
  ) {
    self.id = id
    self.definition = definition
    self.worker = worker
    self.isStartedOnDemand = isStartedOnDemand
    self.executor = executor
  }
}
