internal import AgentEvents
internal import AgentSettings
internal import AgentStore
public import AgentTasks
internal import Synchronization

/// Bots: who is there, and who gets what waits for bots.
extension AgentHost {
  /// Keeps bots and gives them tasks until the host ends.
  func runBots() async {
    guard let store = state.withLock({ $0.store }) else { return }
    do {
      try await bots.run(store)
    } catch {
      log.log(.error, "Tasks can't be given to bots. \(error)")
    }
  }
}

extension BotDesk {
  /// The host's own.
  convenience init(tasks: TaskEngine, events: EventBus, log: LogHub) {
    self.init(
      tasks: tasks, now: { Timestamp.now() },
      log: { level, message in
        let level: LogLevel =
          switch level {
          case .info: .info
          case .warning: .warning
          case .error: .error
          }
        log.log(level, message)
      },
      publish: { _ = try? events.publish([$0], source: "agent") })
  }
}
