package import AgentLogging
package import AgentStore
package import AgentWorkers

/// Readings of the host's parts.
extension HealthReading {
  /// The host itself.
  /// - Parameter awaited: what is still to come up.
  /// - Parameter safeMode: why hardly anything runs.
  package static func host(
    awaited: Set<String>, isStopping: Bool, safeMode: SafeMode? = nil
  ) -> HealthReading {
    if isStopping {
      return HealthReading("host", .failing, reason: "The host is stopping.", isVital: true)
    }
    guard !awaited.isEmpty else {
      guard let safeMode else { return HealthReading("host", isVital: true) }
      return HealthReading("host", .degraded, reason: safeMode.sentence, isVital: true)
    }
    let parts = awaited.sorted().joined(separator: " and ")
    return HealthReading("host", .starting, reason: "Still starting: \(parts).", isVital: true)
  }

  /// The database.
  /// - Parameter condition: nil while it isn't open yet.
  package static func store(_ condition: StoreCondition?) -> HealthReading {
    switch condition {
    case nil:
      HealthReading("store", .starting, reason: "It is being opened.", isVital: true)
    case .ready: HealthReading("store", isVital: true)
    case .closed: HealthReading("store", .failing, reason: "It was closed.", isVital: true)
    case .full(let obstacle), .faulty(let obstacle), .corrupt(let obstacle):
      HealthReading(
        "store", .failing, reason: "Nothing can be stored: \(obstacle.message)",
        since: obstacle.since, isVital: true)
    }
  }

  /// The log of events.
  /// - Parameter problem: why old events couldn't be removed the last time.
  package static func eventLog(isOpen: Bool, problem: String?) -> HealthReading {
    guard isOpen else {
      return HealthReading("event_log", .starting, reason: "It is being opened.", isVital: true)
    }
    guard let problem else { return HealthReading("event_log", isVital: true) }
    return HealthReading("event_log", .degraded, reason: problem, isVital: true)
  }

  /// An enabled process, or a module's service worker.
  package static func process(_ report: ProcessReport) -> HealthReading {
    let name =
      report.name.hasPrefix("module:") ? report.name : "process:\(report.name)"
    let reason = report.reason
    switch report.state {
    case .running, .finished, .idle: return HealthReading(name)
    case .starting: return HealthReading(name, .starting, reason: reason ?? "It is starting.")
    case .failed:
      return HealthReading(name, .failing, reason: reason ?? "It has FAILED; its log may say why.")
    case .backingOff:
      return HealthReading(
        name, .degraded, reason: "It ended and is being restarted: \(reason ?? "see its log").")
    case .stopping:
      return HealthReading(name, .degraded, reason: reason ?? "It is stopping.")
    case .stopped, .disabled:
      return HealthReading(
        name, .degraded,
        reason: reason
          ?? "It is \(report.state.rawValue): \"agent process start \(report.name)\" starts it.")
    }
  }

  /// A part of a process, as its module reports it.
  package static func module(_ health: ModuleHealth) -> HealthReading {
    let state: HealthState =
      switch health.state {
      case .ok: .ok
      case .degraded: .degraded
      case .failing: .failing
      }
    return HealthReading(
      "health:\(health.name)", state, reason: health.reason ?? "The module gave no reason.",
      since: health.since)
  }

  /// A port.
  package static func listener(_ report: ListenerReport) -> HealthReading {
    let name = "listener:\(report.name)"
    switch report.state {
    case .listening: return HealthReading(name)
    case .starting: return HealthReading(name, .starting, reason: "It is being opened.")
    case .failed:
      return HealthReading(
        name, .failing,
        reason: "\(report.address): \(report.problem ?? "the port can't be opened.")")
    }
  }

  /// The log files.
  package static func logFiles(_ figures: LogStatistics) -> HealthReading {
    guard let (path, problem) = figures.problems.min(by: { $0.key < $1.key }) else {
      return HealthReading("log_files")
    }
    let others = figures.problems.count - 1
    let more = others > 0 ? " \(others) more can't be written either." : ""
    return HealthReading(
      "log_files", .degraded, reason: "\(path) can't be written: \(problem).\(more)")
  }
}
