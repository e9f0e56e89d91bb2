package import AgentMetrics
package import AgentStore

extension MetricsPage {
  /// Adds the statistics of the database's writer. Adds nothing while no database is open.
  package mutating func add(_ store: (any Store)?) {
    gauge(
      "bulkhead_store_ready", help: "Whether the database accepts writes: 1 or 0.",
      value: store?.condition == .ready ? 1 : 0)
    guard let statistics = store?.statistics else { return }
    counter(
      "bulkhead_store_commits_total", help: "Durable transactions.",
      value: statistics.commits)
    counter(
      "bulkhead_store_writes_total", help: "Durable writes.", value: statistics.writes)
    counter(
      "bulkhead_store_write_failures_total", help: "Failed writes.", value: statistics.failures)
    counter(
      "bulkhead_store_checkpoints_total",
      help: "Checkpoints of recent changes into the file.", value: statistics.checkpoints)
    gauge(
      "bulkhead_store_queue_writes", help: "Writes that wait for the writer.",
      value: statistics.waiting)
    gauge(
      "bulkhead_store_log_pages", help: "Pages in the log of recent changes.",
      value: statistics.logPages)
    histogram(
      "bulkhead_store_commit_seconds",
      help: "Time of transactions until they were durable.",
      value: HistogramSnapshot(statistics.durations))
    histogram(
      "bulkhead_store_group_writes", help: "Writes per durable transaction.",
      value: HistogramSnapshot(statistics.groups))
  }
}

extension HistogramSnapshot {
  init(_ distribution: StoreDistribution) {
    self.init(
      bounds: distribution.bounds, counts: distribution.counts, sum: distribution.sum)
  }
}
