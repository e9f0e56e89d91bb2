internal import AgentMetrics
package import AgentWorkers

extension HostApplication {
  /// How the parts of processes do, as their modules say, by process and component. What isn't
  /// reported isn't here: a worker that has ended has no health of its own.
  package var moduleHealth: [ModuleHealth] { moduleMetrics.health }

  /// Puts what modules report onto the page of all metrics.
  func collectModuleMetrics() {
    metrics.collect { [moduleMetrics] page in moduleMetrics.write(to: &page) }
  }
}
