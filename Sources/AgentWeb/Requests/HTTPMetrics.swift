internal import AgentMetrics
internal import Synchronization

/// The metrics of HTTP requests. A caller gets a ``Route`` once and keeps it. Counting a request
/// then takes a fraction of a microsecond.
struct HTTPMetrics: Sendable {
  private let registry: MetricsRegistry
  private let underWay: Gauge
  private let openStreams: Gauge
  private let received: Counter
  private let sent: Counter

  init(_ registry: MetricsRegistry) {
    self.registry = registry
    underWay = registry.gauge(
      "bulkhead_http_requests_in_flight", help: "Requests in progress.")
    openStreams = registry.gauge(
      "bulkhead_http_open_streams", help: "Open streams of events and records.")
    received = registry.counter(
      "bulkhead_http_request_bytes_total", help: "Bytes in request bodies.")
    sent = registry.counter(
      "bulkhead_http_response_bytes_total", help: "Bytes in response bodies.")
  }

  /// Returns the metrics of one route.
  /// - Parameter path: the template, such as `/api/v1/processes/{name}`, never a requested path.
  ///   `other` is for requests without a route.
  func route(_ method: String, _ path: String) -> Route {
    Route(registry, method: method, path: path)
  }

  /// Counts the begin of a request.
  func began() { underWay.add(1) }

  /// Counts the end of a request: it was answered, or its client disconnected.
  func ended(
    _ route: Route, status: Int, after duration: Duration, received bytes: Int, sent: Int
  ) {
    underWay.add(-1)
    route.ended(status, duration)
    received.increment(by: bytes)
    self.sent.increment(by: sent)
  }

  /// Counts a piece of a body of unknown size.
  func streamed(_ bytes: Int) { sent.increment(by: bytes) }

  /// Counts an opened stream.
  func streamOpened() { openStreams.add(1) }

  /// Counts a closed stream.
  func streamClosed() { openStreams.add(-1) }

  /// The metrics of one method on one path.
  ///
  /// Rationale: they are created with the first request. A route without requests would add twenty
  /// lines to each scrape.
  final class Route: Sendable {
    private struct Instruments {
      var duration: Histogram?
      var byStatus: [Int: Counter] = [:]
    }

    private let registry: MetricsRegistry
    private let method: String
    private let path: String
    private let instruments = Mutex(Instruments())

    fileprivate init(_ registry: MetricsRegistry, method: String, path: String) {
      self.registry = registry
      self.method = method
      self.path = path
    }

    /// The maximum number of statuses of a route. A module may answer with any status, and the
    /// metrics registry limits its series.
    private static let maxStatuses = 24

    fileprivate func ended(_ status: Int, _ time: Duration) {
      let (duration, requests) = instruments.withLock { instruments -> (Histogram, Counter) in
        let duration = instruments.duration ?? self.durations()
        // Further statuses count as the first of their class, such as 400 (RFC 9110, section 15).
        let isNew =
          instruments.byStatus[status] == nil && instruments.byStatus.count >= Self.maxStatuses
        let status = isNew ? status / 100 * 100 : status
        let requests = instruments.byStatus[status] ?? self.counter(status)
        instruments.duration = duration
        instruments.byStatus[status] = requests
        return (duration, requests)
      }
      duration.observe(time)
      requests.increment()
    }

    private func durations() -> Histogram {
      registry.histogram(
        "bulkhead_http_request_seconds",
        help: "Time from a request to its response.",
        labels: ["method": method, "route": path])
    }

    private func counter(_ status: Int) -> Counter {
      registry.counter(
        "bulkhead_http_requests_total", help: "Requests by route and response status.",
        labels: ["method": method, "route": path, "status": "\(status)"])
    }
  }
}
