internal import AgentEvents
internal import AgentLogging
internal import AgentProcesses
internal import AgentSettings
internal import AgentSystem
internal import Synchronization

/// The events of the agent, and those that the host itself publishes.
final class HostEvents: Sendable {
  let bus: EventBus
  let processes: ProcessEvents
  private let outbox: HostOutbox
  private let log: LogHub
  private let forwarding = Mutex<LogForwarding?>(nil)

  init(_ log: LogHub) {
    self.log = log
    // Events that are published before the database is open wait for it instead of being lost.
    bus = EventBus(awaitsLog: true, now: { Timestamp.now() })
    outbox = HostOutbox(bus) { log.log(.warning, $0) }
    processes = ProcessEvents(bus, outbox: outbox) { log.redacted($0) }
  }

  /// Begins, changes or ends the forwarding of log records, as the settings ask for it.
  func forwardLog(of settings: AgentSettings) {
    let new = settings.logging.forward.map {
      LogForwarding(from: log, to: outbox, of: bus, as: $0)
    }
    // The new one first and then the end of the old one: no record falls in between.
    forwarding.withLock { $0 = new }
  }
}
