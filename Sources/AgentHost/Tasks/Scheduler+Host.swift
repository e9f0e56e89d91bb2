internal import AgentEvents
internal import AgentLogging
internal import AgentMetrics
internal import AgentScheduler
internal import AgentSchedules
internal import AgentStore
internal import AgentSystem
internal import AgentTasks

extension Scheduler {
  /// Creates the host's scheduler. It publishes events and counts its runs in metrics.
  convenience init(
    engine: TaskEngine, events: EventBus, metrics: MetricsRegistry, log: LogHub
  ) {
    let (zones, files) = (TimeZoneDatabase(), FileQueue("time zones"))
    self.init(
      engine: engine,
      zone: { name throws(TimeZoneError) in
        // Zones are read from files, and a blocking read must not hold a thread of the shared pool.
        let found: Result<TimeZoneRules, TimeZoneError>
        do throws(FileDelay) {
          found = try await files.run {
            Result { () throws(TimeZoneError) in try zones.zone(named: name) }
          }
        } catch {
          throw TimeZoneError(.unreadable, error.description)
        }
        return try found.get()
      }, now: { Timestamp.now() }
    ) { level, message in log.report(level, message) }
    let (publisher, statistics) = (ScheduleEvents(events), ScheduleStatistics(metrics))
    // `record` runs in the transaction, `observe` after it is durable. Stored events need the
    // first.
    record { try publisher.store($0, in: $1) }
    observe { notices in
      publisher.happened(notices)
      statistics.happened(notices)
    }
    // Weak: the registry must not keep the scheduler alive.
    metrics.collect { [weak self] page in
      for state in ScheduleRow.State.allCases {
        page.gauge(
          "bulkhead_schedules", help: "Schedules, by state.", labels: ["state": state.rawValue],
          value: Int(self?.counts[state] ?? 0))
      }
    }
  }
}

/// Counts the decisions about fire times, and measures their lateness.
private struct ScheduleStatistics: Sendable {
  private let outcomes: [String: Counter]
  private let lateness: Histogram

  init(_ metrics: MetricsRegistry) {
    var outcomes: [String: Counter] = [:]
    for outcome in ScheduleOutcome.allCases {
      outcomes[outcome.rawValue] = metrics.counter(
        "bulkhead_schedule_fires_total", help: "Fire times of schedules, by outcome.",
        labels: ["outcome": outcome.rawValue])
    }
    self.outcomes = outcomes
    lateness = metrics.histogram(
      "bulkhead_schedule_lateness_seconds",
      help: "Delay of a schedule's runs after they were due.",
      buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 60, 600, 3_600, 86_400])
  }

  func happened(_ notices: [ScheduleNotice]) {
    for case .decided(_, let fire, let late) in notices {
      outcomes[fire.outcome]?.increment()
      // A fire time without a task has no run, and therefore no lateness.
      if fire.task != nil { lateness.observe(Double(late) / 1000) }
    }
  }
}
