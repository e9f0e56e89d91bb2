internal import AgentBots
internal import AgentDiagnostics
internal import AgentEvents
internal import AgentLogging
internal import AgentMetrics
internal import AgentModules
internal import AgentProcesses
internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import AgentWorkers

/// The host's own metrics, read when somebody asks for the page. docs/metrics.md names them all.
extension HostApplication {
  /// Registers the host's metrics. Called once, by the initializer.
  func measure() {
    let begin = Double(start.at) / 1000
    let files = FileQueue("the process", limit: .seconds(2))
    metrics.collect { page in
      page.gauge(
        "bulkhead_build_info", help: "Always 1; the labels identify the host.",
        labels: ["version": "\(SemanticVersion.host)"], value: 1)
      do {
        page.add(try await files.run { ProcessStatistics.read() }, startedAt: begin)
      } catch {
        // The page has all other metrics.
      }
    }
    // Weak: the host owns the registry, which would otherwise keep the host alive.
    metrics.collect { [weak self] page in
      guard let self else { return }
      page.add(await processes.reports())
      page.add(events.statistics)
      page.add(bots.summary)
      page.add(work.pools.reports)
      page.add(log.statistics)
      page.add(database.store)
    }
  }
}

extension MetricsPage {
  fileprivate mutating func add(_ log: LogStatistics) {
    for (level, count) in zip(LogLevel.allCases, log.records) {
      counter(
        "bulkhead_log_records_total", help: "Log records, by level.",
        labels: ["level": level.rawValue], value: count)
    }
    counter(
      "bulkhead_log_dropped_total",
      help: "Log records that were dropped because they came faster than they are written.",
      value: log.dropped)
    gauge(
      "bulkhead_log_queue_records", help: "Log records that wait to be written.",
      value: log.waiting)
  }
}
