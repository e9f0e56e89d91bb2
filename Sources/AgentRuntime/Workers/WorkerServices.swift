internal import AgentEvents
internal import AgentSupervision
internal import AgentWorkerProtocol

/// What the host does for its workers; they share it.
final class WorkerServices: Sendable {
  /// The bus that events go to and come from.
  let events: EventBus
  /// Where subscriptions of workers that have ended had come to.
  let positions: SubscriptionPositions
  /// Takes a log record of a worker: process, level, message.
  let log: @Sendable (String, WireLevel, String) -> Void
  /// Takes what LOADED said of the sandbox: process, pid.
  let sandboxReached: @Sendable (String, Int32, Loaded) -> Void
  /// A worker's process is gone; its crash descriptor can still be read.
  let ended: @Sendable (WorkerLink, ExitStatus) -> Void

  init(
    events: EventBus, positions: SubscriptionPositions,
    log: @escaping @Sendable (String, WireLevel, String) -> Void,
    sandboxReached: @escaping @Sendable (String, Int32, Loaded) -> Void,
    ended: @escaping @Sendable (WorkerLink, ExitStatus) -> Void
  ) {
    self.events = events
    self.positions = positions
    self.log = log
    self.sandboxReached = sandboxReached
    self.ended = ended
  }
}
