internal import AgentBots
internal import AgentEvents
internal import AgentLogging
internal import AgentMetrics
internal import AgentSystem
package import AgentTasks
package import AgentWorkers
internal import Glibc

extension TaskEngine {
  /// The host's own, whose changes are events.
  convenience init(
    artifacts: String, events: EventBus, metrics: MetricsRegistry, log: LogHub
  ) {
    self.init(
      // With the time of the start, because a pid is used again: a lease of a former host must
      // not look like this host's.
      owner: "\(getpid())-\(Timestamp.now())", artifacts: artifacts,
      now: { Timestamp.now() }, steady: Self.machineTime, boot: Self.machineStart,
      log: { level, message in log.report(level, message) })
    let publisher = TaskEvents(events)
    // `record` is called in the transaction, `observe` once it is durable. An event that is
    // stored belongs to the first, a live one to the second.
    record { try publisher.store($0, in: $1) }
    observe { publisher.changed($0) }
    count(in: metrics)
  }
}

extension LogHub {
  func report(_ level: TaskEngine.LogLevel, _ message: String) {
    switch level {
    case .info: log(.info, message)
    case .warning: log(.warning, message)
    case .error: log(.error, message)
    }
  }
}

extension HostError {
  /// Translates an error of a task service into the API's codes.
  package init(_ error: TaskError) {
    let code: Code =
      switch error.code {
      case .missing: .notFound
      case .conflict, .staleLease: .conflict
      case .invalid: .invalid
      case .forbidden: .forbidden
      case .notReady: .notReady
      case .timedOut: .deadlineExceeded
      }
    self.init(code, error.message)
  }
}
