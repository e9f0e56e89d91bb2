internal import AgentBots
internal import AgentEvents
internal import AgentLogging
internal import AgentMetrics
internal import AgentSystem
package import AgentTasks
package import AgentWorkers
internal import Glibc

extension TaskEngine {
  /// Creates the host's task engine. It publishes its changes as events and counts them in metrics.
  /// - Parameter artifacts: the folder of the artifacts.
  convenience init(
    artifacts: String, events: EventBus, metrics: MetricsRegistry, log: LogHub
  ) {
    self.init(
      // With the time of the start, because process ids are used again: a lease of a former host
      // must not look like one of this host.
      owner: "\(getpid())-\(Timestamp.now())", artifacts: artifacts,
      now: { Timestamp.now() }, steady: Self.machineTime, boot: Self.machineStart,
      log: { level, message in log.report(level, message) })
    let publisher = TaskEvents(events)
    // `record` runs in the transaction, `observe` after it is durable. Stored events need the
    // first, live ones the second.
    record { try publisher.store($0, in: $1) }
    observe { publisher.changed($0) }
    count(in: metrics)
  }
}

extension LogHub {
  /// Writes a message of a task service to the log.
  func report(_ level: TaskEngine.LogLevel, _ message: String) {
    switch level {
    case .info: log(.info, message)
    case .warning: log(.warning, message)
    case .error: log(.error, message)
    }
  }
}

extension HostError {
  /// Translates an error of a task service into an error of the API.
  package init(_ error: TaskError) {
    let code: Code =
      switch error.code {
      case .missing: .notFound
      // For a client, a lost lease is a conflict with another change.
      case .conflict, .staleLease: .conflict
      case .invalid: .invalid
      case .forbidden: .forbidden
      case .notReady: .notReady
      case .timedOut: .deadlineExceeded
      }
    self.init(code, error.message)
  }
}
