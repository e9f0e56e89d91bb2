public import AgentAssignment
public import AgentTasks

/// A bot that the host itself runs. The settings define it.
public struct LocalBot: Sendable {
  public let id: String
  /// The type, the capabilities and the limits.
  public let definition: BotDefinition
  /// The name of the worker that runs the tasks. ``TaskDispatcher/setWorker(_:isUp:why:)`` reports
  /// its state.
  public let worker: String
  /// Whether the process starts on demand. If so, the bot is online until the process fails.
  public let isStartedOnDemand: Bool
  /// Runs the tasks of the bot.
  public let executor: any TaskExecutor

  /// Creates a local bot.
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
