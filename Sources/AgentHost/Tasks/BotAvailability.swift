internal import AgentBots
internal import AgentSupervision
internal import Synchronization

/// Tells the desk of bots how workers stand in which bots live. On the loop's thread, in order.
final class BotAvailability: Sendable {
  private let bots: TaskDispatcher
  /// Pools, once there are any.
  private let pools = Mutex<PoolAutoscaler?>(nil)
  /// The latest process of each worker that has started its work: while one replaces the other, the
  /// end of the former says nothing.
  private let latest = Mutex<[String: UInt64]>([:])

  init(_ bots: TaskDispatcher) { self.bots = bots }

  /// Tells pools, too, that instances have ended.
  func tell(_ pools: PoolAutoscaler) { self.pools.withLock { $0 = pools } }

  /// Something happened to a worker.
  func heard(_ event: SupervisionEvent) {
    // The service worker of a module is started by whoever needs it.
    let isOnDemand = event.name.hasPrefix("module:")
    switch event.kind {
    case .started:
      latest.withLock { $0[event.name] = max(event.generation, $0[event.name] ?? 0) }
      bots.home(event.name, isUp: true)
    case .stopped where isOnDemand: bots.home(event.name, isUp: true)
    case .stopping(let reason) where !isOnDemand:
      down(event, reason.map { "It is being ended: \($0)" })
    case .exited(let status, let reason): down(event, reason ?? "Its worker has ended: \(status).")
    case .failed(let reason):
      down(event, reason)
      pools.withLock { $0 }?.ended(event.name)
    case .stopped, .finished: pools.withLock { $0 }?.ended(event.name)
    default: break
    }
  }

  private func down(_ event: SupervisionEvent, _ why: String?) {
    let isCurrent = latest.withLock { latest in
      event.generation == 0 || event.generation >= latest[event.name] ?? 0
    }
    if isCurrent { bots.home(event.name, isUp: false, why: why ?? "Its process is stopped.") }
  }
}
