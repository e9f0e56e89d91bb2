internal import AgentEvents
internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentStore
internal import AgentTasks
internal import Synchronization

/// Bots: who is there, and who gets what waits for bots.
extension AgentHost {
  /// Goes by these settings from now on: which strategies modules offer.
  func planBots(by settings: AgentSettings) {
    var plan = BotPlan()
    // All that waits waits for a strategy that is asked.
    let timeout = Duration.milliseconds(min(5_000, settings.supervision.invokeTimeoutMs))
    for module in settings.modules {
      let name = module.manifest.name
      for entry in module.enabledContributions where entry.contribution.kind == .strategy {
        let strategy = entry.contribution.name
        plan.strategies["\(name)/\(strategy)"] = { [weak self] request in
          guard let self else { throw CancellationError() }
          return try await invoke(
            module: name, kind: "strategy", contribution: strategy, input: .object(request),
            timeout: timeout)
        }
      }
    }
    bots.follow(plan)
  }
}

extension BotDesk {
  /// The host's own.
  convenience init(tasks: TaskEngine, events: EventBus, log: LogHub) {
    self.init(
      tasks: tasks, now: { Timestamp.now() },
      log: { level, message in
        log.tell(level, message)
      },
      publish: { _ = try? events.publish([$0], source: "agent") })
  }
}
