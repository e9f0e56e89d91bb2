package import AgentMetrics

extension ModuleMetrics {
  /// Adds every metric under its full name, and the health of every component, to a page. Any
  /// thread.
  package func write(to page: inout MetricsPage) {
    for (process, reported) in reported {
      for (name, family) in reported.families.sorted(by: { $0.key < $1.key }) {
        let name = ReportedMetrics.fullName(name, module: reported.module)
        let help =
          family.help.isEmpty ? "A metric of the module \(reported.module)." : family.help
        for (labels, value) in family.series {
          let labels = MetricLabels(labels.map { ($0.key, $0.value) } + [("process", process)])
          switch value {
          case .counter(let value):
            page.counter(name, help: help, labels: labels, value: value)
          case .gauge(let value, _):
            page.gauge(name, help: help, labels: labels, value: value)
          case .histogram(let histogram):
            let value = HistogramSnapshot(
              bounds: family.bounds, counts: histogram.counts, sum: histogram.sum)
            page.histogram(name, help: help, labels: labels, value: value)
          }
        }
      }
    }
    for part in health {
      for state in ModuleHealth.State.allCases {
        page.gauge(
          "bulkhead_module_health",
          help:
            "The health of a part of a process, as its module reports it: 1 for the current state.",
          labels: [
            "component": part.component, "process": part.process, "state": state.rawValue,
          ], value: part.state == state ? 1 : 0)
      }
    }
  }
}
