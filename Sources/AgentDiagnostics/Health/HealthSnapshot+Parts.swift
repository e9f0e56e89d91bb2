package import AgentLogging
package import AgentStore
package import AgentWorkers

/// Snapshots of the host's parts.
extension HealthSnapshot {
  /// Returns the health of the host itself.
  /// - Parameter awaited: the parts that are still starting.
  /// - Parameter safeMode: the reason for safe mode. `nil` for a usual start.
  package static func host(
    awaited: Set<String>, isStopping: Bool, safeMode: SafeMode? = nil
  ) -> HealthSnapshot {
    if isStopping {
      return HealthSnapshot("host", .failing, reason: "The host is stopping.", isVital: true)
    }
    guard !awaited.isEmpty else {
      guard let safeMode else { return HealthSnapshot("host", isVital: true) }
      return HealthSnapshot("host", .degraded, reason: safeMode.sentence, isVital: true)
    }
    let parts = awaited.sorted().joined(separator: " and ")
    return HealthSnapshot("host", .starting, reason: "Still starting: \(parts).", isVital: true)
  }

  /// Returns the health of the database.
  /// - Parameter condition: the condition of the store. `nil` while it isn't open yet.
  package static func store(_ condition: StoreCondition?) -> HealthSnapshot {
    switch condition {
    case nil:
      HealthSnapshot("store", .starting, reason: "It is being opened.", isVital: true)
    case .ready: HealthSnapshot("store", isVital: true)
    case .closed: HealthSnapshot("store", .failing, reason: "It was closed.", isVital: true)
    case .full(let obstacle), .faulty(let obstacle), .corrupt(let obstacle):
      HealthSnapshot(
        "store", .failing, reason: "Nothing can be stored: \(obstacle.message)",
        since: obstacle.since, isVital: true)
    }
  }

  /// Returns the health of the log of events.
  /// - Parameter problem: the reason why the last removal of old events failed.
  package static func eventLog(isOpen: Bool, problem: String?) -> HealthSnapshot {
    guard isOpen else {
      return HealthSnapshot("event_log", .starting, reason: "It is being opened.", isVital: true)
    }
    guard let problem else { return HealthSnapshot("event_log", isVital: true) }
    return HealthSnapshot("event_log", .degraded, reason: problem, isVital: true)
  }

  /// Returns the health of an enabled process or of a module's service worker.
  package static func process(_ report: ProcessReport) -> HealthSnapshot {
    let name =
      report.name.hasPrefix("module:") ? report.name : "process:\(report.name)"
    let reason = report.reason
    switch report.state {
    case .running, .finished, .idle: return HealthSnapshot(name)
    case .starting: return HealthSnapshot(name, .starting, reason: reason ?? "It is starting.")
    case .failed:
      return HealthSnapshot(name, .failing, reason: reason ?? "It has FAILED; its log may say why.")
    case .backingOff:
      return HealthSnapshot(
        name, .degraded, reason: "It ended and is being restarted: \(reason ?? "see its log").")
    case .stopping:
      return HealthSnapshot(name, .degraded, reason: reason ?? "It is stopping.")
    case .stopped, .disabled:
      return HealthSnapshot(
        name, .degraded,
        reason: reason
          ?? "It is \(report.state.rawValue): \"agent process start \(report.name)\" starts it.")
    }
  }

  /// Returns the health of a part of a process, as its module reports it.
  package static func module(_ health: ModuleHealth) -> HealthSnapshot {
    let state: HealthState =
      switch health.state {
      case .ok: .ok
      case .degraded: .degraded
      case .failing: .failing
      }
    return HealthSnapshot(
      "health:\(health.name)", state, reason: health.reason ?? "The module gave no reason.",
      since: health.since)
  }

  /// Returns the health of a port.
  package static func listener(_ report: ListenerReport) -> HealthSnapshot {
    let name = "listener:\(report.name)"
    switch report.state {
    case .listening:
      guard let problem = report.problem else { return HealthSnapshot(name) }
      return HealthSnapshot(name, .degraded, reason: "\(report.address): \(problem)")
    case .starting: return HealthSnapshot(name, .starting, reason: "It is being opened.")
    case .failed:
      return HealthSnapshot(
        name, .failing,
        reason: "\(report.address): \(report.problem ?? "the port can't be opened.")")
    }
  }

  /// Returns the health of the log files.
  package static func logFiles(_ statistics: LogStatistics) -> HealthSnapshot {
    guard let (path, problem) = statistics.problems.min(by: { $0.key < $1.key }) else {
      return HealthSnapshot("log_files")
    }
    let others = statistics.problems.count - 1
    let more = others > 0 ? " \(others) more can't be written either." : ""
    return HealthSnapshot(
      "log_files", .degraded, reason: "\(path) can't be written: \(problem).\(more)")
  }
}
