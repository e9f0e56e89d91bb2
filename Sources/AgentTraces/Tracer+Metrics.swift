public import AgentMetrics

extension Tracer {
  /// Puts what becomes of spans into the metrics.
  public func measure(in registry: MetricsRegistry) {
    registry.collect { [weak self] page in
      guard let figures = self?.queue.figures else { return }
      page.counter(
        "bulkhead_trace_spans_exported_total", help: "Spans that a collector has taken.",
        value: figures.exported)
      page.counter(
        "bulkhead_trace_spans_dropped_total",
        help: "Spans that were lost: the queue was full, or no collector took them in time.",
        value: figures.dropped)
      page.counter(
        "bulkhead_trace_export_failures_total",
        help: "Attempts to send spans that failed.", value: figures.failures)
      page.gauge(
        "bulkhead_trace_queue_spans", help: "Spans that wait to be sent.", value: figures.waiting)
    }
  }
}
