internal import AgentAssignment
internal import AgentBots
internal import AgentJSON
internal import AgentModules
internal import AgentProcesses
internal import AgentSettings

/// Creates the plans of the dispatcher and of the pools from the settings.
struct BotPlanner {
  let settings: AgentSettings
  let processes: @Sendable () -> ProcessManager?

  /// Returns the plan of the dispatcher.
  func plan() -> BotPlan {
    var plan = BotPlan()
    let bots = settings.bots
    plan.types = bots.types
    plan.maxBots = bots.max
    plan.answerWithin = bots.answerWithinMs
    plan.lease = bots.leaseMs
    plan.heartbeatTimeout = bots.heartbeatTimeoutMs
    plan.call = BotCaller(settings).send
    // A bot of a pool exists once for each instance. The autoscaler registers those.
    plan.local = bots.local.filter { pool(of: $0) == nil }.map { local($0) }
    plan.pooledTypes = pools().reduce(into: []) { $0.formUnion($1.taskTypes) }
    // All waiting tasks wait while a strategy decides, so that its time is short.
    let timeout = Duration.milliseconds(min(5_000, settings.supervision.invokeTimeoutMs))
    for module in settings.modules {
      let name = module.manifest.name
      for entry in module.enabledContributions where entry.contribution.kind == .strategy {
        let strategy = entry.contribution.name
        plan.strategies["\(name)/\(strategy)"] = { [processes] request in
          // The processes are released while the host ends.
          guard let processes = processes() else { throw CancellationError() }
          return try await processes.invoke(
            module: name, kind: "strategy", contribution: strategy, input: .object(request),
            timeout: timeout)
        }
      }
    }
    // The reader of the settings has checked the name.
    let known = try? AssignmentStrategy(
      named: bots.strategy, custom: plan.strategies.keys.sorted())
    plan.strategy = known ?? plan.strategy
    return plan
  }

  /// Returns the pools whose process is enabled.
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

  /// Returns the settings of the pool that a bot belongs to. Nil if there is none, or if its
  /// process isn't enabled.
  private func pool(of bot: LocalBotSettings) -> BotPoolSettings? {
    guard let process = bot.process,
      settings.processes.contains(where: { $0.key == process && $0.pool != nil })
    else { return nil }
    return settings.bots.pools.first { $0.process == process }
  }

  /// Returns a local bot.
  /// - Parameter instance: the name of the pool's instance. Nil means a bot without a pool.
  private func local(_ bot: LocalBotSettings, as instance: String? = nil) -> LocalBot {
    let process = instance ?? bot.process
    var definition = bot.definition
    // The instances of a pool have one definition. The name distinguishes them for people.
    if let instance { definition.name = "\(definition.name) (\(instance))" }
    return LocalBot(
      id: instance ?? bot.name, definition: definition,
      worker: process ?? "module:\(bot.module)", isStartedOnDemand: process == nil,
      executor: LocalBotExecutor(
        module: bot.module, action: bot.action, process: process, processes: processes))
  }
}
