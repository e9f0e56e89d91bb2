package import AgentMetrics
package import AgentWorkers

extension MetricsPage {
  /// Adds the restarts of processes, and how many processes are in each state.
  package mutating func add(_ processes: [ProcessReport]) {
    // All states are shown, at 0 too: an alarm can't be set on a series that isn't there yet.
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
