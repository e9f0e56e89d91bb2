package import AgentMetrics

extension MetricsPage {
  /// Adds the counters of the event bus and the lengths of its queues.
  package mutating func add(_ events: EventStatistics) {
    counter(
      "bulkhead_events_published_total", help: "Accepted events.",
      value: Double(events.published))
    counter(
      "bulkhead_events_delivered_total",
      help: "Events delivered to consumers; an event counts once per consumer.",
      value: Double(events.delivered))
    counter(
      "bulkhead_events_dropped_total",
      help: "Events that a consumer lost because its queue was full.",
      value: Double(events.dropped))
    gauge(
      "bulkhead_event_subscriptions", help: "Standing queries for events.",
      value: events.subscriptions)
    gauge(
      "bulkhead_event_subscriptions_behind",
      help: "Standing queries that read the log because they are behind.", value: events.behind)
    gauge(
      "bulkhead_event_queue_events", help: "Events that wait for their consumers, in all queues.",
      value: events.waiting)
    gauge(
      "bulkhead_event_queue_longest_events", help: "Events that wait in the longest queue.",
      value: events.longestQueue)
    for (name, lag) in events.consumerLags {
      gauge(
        "bulkhead_event_consumer_lag_events",
        help: "Distance of a connected durable consumer from the newest event.",
        labels: ["consumer": name], value: Double(lag))
    }
  }
}
