internal import AgentBots
internal import AgentSupervision
internal import Synchronization

/// Reports to the dispatcher which workers of local bots run, and to the pools which instances have
/// ended. The supervisor calls it on its loop's thread, in the order of the events.
final class BotAvailability: Sendable {
  private let bots: TaskDispatcher
  private let pools: PoolAutoscaler
  /// The latest generation of each worker that has started. During a replacement, the end of the
  /// former process changes nothing.
  private let latest = Mutex<[String: UInt64]>([:])

  init(_ bots: TaskDispatcher, _ pools: PoolAutoscaler) { (self.bots, self.pools) = (bots, pools) }

  /// Handles an event of the supervisor. Runs on the supervisor's loop and must not block.
  func supervisionDidChange(_ event: SupervisionEvent) {
    // The service worker of a module starts on demand.
    let isOnDemand = event.name.hasPrefix("module:")
    switch event.kind {
    case .started:
      latest.withLock { $0[event.name] = max(event.generation, $0[event.name] ?? 0) }
      bots.setWorker(event.name, isUp: true)
    // A stopped service worker is available: the next call starts it.
    case .stopped where isOnDemand: bots.setWorker(event.name, isUp: true)
    // Reported before the worker has ended, so that its bots get no new tasks meanwhile.
    case .stopping(let reason) where !isOnDemand:
      down(event, reason.map { "It is being ended: \($0)" })
    case .exited(let status, let reason): down(event, reason ?? "Its worker has ended: \(status).")
    case .failed(let reason):
      down(event, reason)
      pools.ended(event.name)
    case .stopped, .finished: pools.ended(event.name)
    default: break
    }
  }

  /// Reports that a worker doesn't run. Ignores the end of a process that was replaced.
  /// - Parameter why: the reason as a sentence. Nil means that the process was stopped.
  private func down(_ event: SupervisionEvent, _ why: String?) {
    let isCurrent = latest.withLock { latest in
      // Generation 0 stands for a worker without a process, so that no older process is meant.
      event.generation == 0 || event.generation >= latest[event.name] ?? 0
    }
    if isCurrent { bots.setWorker(event.name, isUp: false, why: why ?? "Its process is stopped.") }
  }
}
