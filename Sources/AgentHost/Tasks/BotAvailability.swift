internal import AgentBots
internal import AgentSupervision
internal import Synchronization

/// Tells the dispatcher whether the workers are up in which local bots live. The supervisor calls
/// it on the loop's thread, in order.
final class BotAvailability: Sendable {
  private let bots: TaskDispatcher
  private let pools: PoolAutoscaler
  /// The latest process of each worker that has started its work: while one replaces the other, the
  /// end of the former says nothing.
  private let latest = Mutex<[String: UInt64]>([:])

  init(_ bots: TaskDispatcher, _ pools: PoolAutoscaler) { (self.bots, self.pools) = (bots, pools) }

  /// Takes an event of the supervisor. Must not block: it is on the loop's thread.
  func supervisionDidChange(_ event: SupervisionEvent) {
    // The service worker of a module is started on demand.
    let isOnDemand = event.name.hasPrefix("module:")
    switch event.kind {
    case .started:
      latest.withLock { $0[event.name] = max(event.generation, $0[event.name] ?? 0) }
      bots.setWorker(event.name, isUp: true)
    // A stopped service worker counts as up: the next call starts it.
    case .stopped where isOnDemand: bots.setWorker(event.name, isUp: true)
    // Before the worker has ended, so that it gets no new tasks meanwhile.
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

  private func down(_ event: SupervisionEvent, _ why: String?) {
    let isCurrent = latest.withLock { latest in
      // 0 is about no process, so there is no older generation that it could mean.
      event.generation == 0 || event.generation >= latest[event.name] ?? 0
    }
    if isCurrent { bots.setWorker(event.name, isUp: false, why: why ?? "Its process is stopped.") }
  }
}
