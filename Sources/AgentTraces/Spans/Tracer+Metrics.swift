public import AgentMetrics

extension Tracer {
  /// Registers a collector for the numbers of exported, dropped and waiting spans, and of failed
  /// attempts. The registry doesn't keep the tracer alive.
  public func measure(in registry: MetricsRegistry) {
    registry.collect { [weak self] page in
      guard let statistics = self?.queue.statistics else { return }
      page.counter(
        "bulkhead_trace_spans_exported_total", help: "Spans that a collector accepted.",
        value: statistics.exported)
      page.counter(
        "bulkhead_trace_spans_dropped_total",
        help: "Lost spans: the queue was full, or no collector accepted them in time.",
        value: statistics.dropped)
      page.counter(
        "bulkhead_trace_export_failures_total",
        help: "Failed attempts to send spans.", value: statistics.failures)
      page.gauge(
        "bulkhead_trace_queue_spans", help: "Spans that wait to be sent.", value: statistics.waiting
      )
    }
  }
}
