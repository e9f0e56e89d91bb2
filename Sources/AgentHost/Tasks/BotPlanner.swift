internal import AgentAssignment
internal import AgentBots
internal import AgentJSON
internal import AgentModules
internal import AgentProcesses
internal import AgentSettings

/// Makes the plans of the dispatcher and the pools from the settings.
struct BotPlanner {
  let settings: AgentSettings
  let processes: @Sendable () -> ProcessManager?

  func plan() -> BotPlan {
    var plan = BotPlan()
    let bots = settings.bots
    plan.types = bots.types
    plan.maxBots = bots.max
    plan.answerWithin = bots.answerWithinMs
    plan.lease = bots.leaseMs
    plan.heartbeatTimeout = bots.heartbeatTimeoutMs
    plan.call = BotCaller(settings).send
    // A bot in a pool is there once for each instance, and the autoscaler registers those.
    plan.local = bots.local.filter { pool(of: $0) == nil }.map { local($0) }
    plan.pooledTypes = pools().reduce(into: []) { $0.formUnion($1.taskTypes) }
    // All that waits waits for a strategy that is asked.
    let timeout = Duration.milliseconds(min(5_000, settings.supervision.invokeTimeoutMs))
    for module in settings.modules {
      let name = module.manifest.name
      for entry in module.enabledContributions where entry.contribution.kind == .strategy {
        let strategy = entry.contribution.name
        plan.strategies["\(name)/\(strategy)"] = { [processes] request in
          guard let processes = processes() else { throw CancellationError() }
          return try await processes.invoke(
            module: name, kind: "strategy", contribution: strategy, input: .object(request),
            timeout: timeout)
        }
      }
    }
    // The reader of the settings knows it.
    let known = try? AssignmentStrategy(
      named: bots.strategy, custom: plan.strategies.keys.sorted())
    plan.strategy = known ?? plan.strategy
    return plan
  }

  /// The pools whose process is enabled.
  func pools() -> [PoolPlan] {
    settings.bots.local.compactMap { bot in
      guard let pool = pool(of: bot) else { return nil }
      return PoolPlan(
        name: pool.name,
        policy: PoolPolicy(
          min: pool.min, max: pool.max, targetQueueTime: pool.targetQueueTimeMs,
          concurrency: bot.definition.maxConcurrentTasks, growAfter: pool.growAfterMs,
          shrinkAfter: pool.shrinkAfterMs),
        taskTypes: Set(bot.definition.capabilities.flatMap(\.taskTypes))
      ) { local(bot, as: $0) }
    }
  }

  private func pool(of bot: LocalBotSettings) -> BotPoolSettings? {
    guard let process = bot.process,
      settings.processes.contains(where: { $0.key == process && $0.pool != nil })
    else { return nil }
    return settings.bots.pools.first { $0.process == process }
  }

  /// - Parameter instance: the one of a pool; nil for a bot that is there once.
  private func local(_ bot: LocalBotSettings, as instance: String? = nil) -> LocalBot {
    let process = instance ?? bot.process
    var definition = bot.definition
    if let instance { definition.name = "\(definition.name) (\(instance))" }
    return LocalBot(
      id: instance ?? bot.name, definition: definition,
      worker: process ?? "module:\(bot.module)", isStartedOnDemand: process == nil,
      executor: LocalBotExecutor(
        module: bot.module, action: bot.action, process: process, processes: processes))
  }
}
