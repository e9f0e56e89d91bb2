internal import AgentBots
internal import AgentEvents
internal import AgentLogging
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import AgentTasks
internal import AgentWorkers

/// Bots and the dispatcher that gives them tasks.
extension HostApplication {
  /// Hands the dispatcher the plan that these settings make.
  func planBots(by settings: AgentSettings) {
    bots.apply(BotPlanner(settings: settings, host: { [weak self] in self }).plan())
  }

  /// Hands the autoscaler the pools of these settings. Call it after their processes were added to
  /// the supervisor: the autoscaler may start instances right away.
  func planPools(by settings: AgentSettings) {
    pools.apply(BotPlanner(settings: settings, host: { [weak self] in self }).pools())
  }

  /// Starts an instance of a pool.
  func startInstance(_ name: String) async throws {
    try await start(name)
    // `start` returns without an error when the first try has failed. The autoscaler is promised an
    // instance that is up, or an error.
    if case .failed(let reason) = try await supervisor.status(name).state {
      throw HostError(.failed, reason)
    }
  }
}

extension TaskDispatcher {
  /// The host's own.
  convenience init(tasks: TaskEngine, events: EventBus, log: LogHub) {
    self.init(
      tasks: tasks, now: { Timestamp.now() }, steady: TaskEngine.machineTime,
      log: { level, message in
        log.tell(level, message)
      },
      publish: { event in
        do {
          // Live only: an event that is to be stored is part of the commit of its cause.
          try events.publish([event], source: HostOutbox.source, by: .host) { _ in }
        } catch {
          log.log(.error, "An event about a bot or its tasks can't be published. \(error)")
        }
      })
    // Stored in the transaction of the change itself: an event about a bot is never there without
    // the change, nor the change without it.
    record { try events.append([$0], source: "agent", to: $1) }
  }
}
