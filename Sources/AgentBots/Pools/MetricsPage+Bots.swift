internal import AgentAssignment
package import AgentMetrics

extension MetricsPage {
  /// Adds the metrics of bots and strategies.
  package mutating func add(_ bots: TaskDispatcher.Summary) {
    for status in BotStatus.allCases {
      gauge(
        "bulkhead_bots", help: "Bots, by status.", labels: ["status": status.rawValue],
        value: bots.byStatus[status] ?? 0)
    }
    gauge(
      "bulkhead_bot_utilization", help: "The share of the bots' capacity in use.",
      value: bots.utilization)
    for (strategy, statistics) in bots.statistics {
      for (outcome, count) in [
        ("assigned", statistics.assigned), ("unassigned", statistics.unassigned),
        ("succeeded", statistics.succeeded), ("failed", statistics.failed),
        ("reassigned", statistics.reassigned),
      ] {
        counter(
          "bulkhead_assignments_total",
          help: "Decisions of strategies, by outcome.",
          labels: ["strategy": strategy, "outcome": outcome], value: count)
      }
      counter(
        "bulkhead_assignment_wait_seconds_total",
        help: "Time that tasks waited for a bot.",
        labels: ["strategy": strategy], value: Double(statistics.waited) / 1000)
    }
  }

  /// Adds the metrics of pools.
  package mutating func add(_ pools: [PoolReport]) {
    for pool in pools {
      for phase in Pool.Phase.allCases {
        gauge(
          "bulkhead_bot_pool_instances", help: "Instances of pools, by state.",
          labels: ["pool": pool.name, "state": phase.rawValue],
          value: pool.instances.count { $0.phase == phase })
      }
      gauge(
        "bulkhead_bot_pool_queued", help: "Tasks that wait for a pool.",
        labels: ["pool": pool.name], value: pool.queued)
    }
  }
}
