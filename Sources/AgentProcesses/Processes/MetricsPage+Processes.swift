package import AgentMetrics
package import AgentWorkers

extension MetricsPage {
  /// Adds the restarts of processes, and the number of processes in each state.
  package mutating func add(_ processes: [ProcessReport]) {
    // All states are present, also with 0. An alarm can't refer to a series that doesn't exist yet.
    var counts = Dictionary(uniqueKeysWithValues: ProcessState.allCases.map { ($0, 0) })
    for process in processes {
      counts[process.state, default: 0] += 1
      counter(
        "bulkhead_process_restarts_total", help: "Restarts of a process.",
        labels: ["process": process.name], value: process.restarts)
    }
    for (state, count) in counts {
      gauge(
        "bulkhead_workers", help: "Processes and service workers, by state.",
        labels: ["state": state.rawValue], value: count)
    }
  }
}
