package import AgentMetrics
internal import AgentWorkerProtocol

/// Counts the calls of the host's services by modules, and measures how long the answers take.
package struct ServiceMetrics: Sendable {
  private struct Instruments {
    let answered: Counter
    let refused: Counter
    let duration: Histogram
  }

  private let services: [String: Instruments]
  private let unknown: Counter

  /// Creates the metrics.
  /// - Parameter services: the ids of the services that the host offers. Calls of all other
  ///   services are counted together.
  package init(_ registry: MetricsRegistry, services: [String]) {
    func calls(_ service: String, _ outcome: String) -> Counter {
      registry.counter(
        "bulkhead_service_calls_total",
        help: "Calls of the host's services by modules, by outcome.",
        labels: ["service": service, "outcome": outcome])
    }
    self.services = Dictionary(
      services.map { service in
        let duration = registry.histogram(
          "bulkhead_service_call_seconds", help: "Response time of the host's services.",
          labels: ["service": service])
        let instruments = Instruments(
          answered: calls(service, "ok"), refused: calls(service, "failed"), duration: duration)
        return (service, instruments)
      }, uniquingKeysWith: { $1 })
    // All unknown services share one series. Otherwise a module could create any number of series.
    unknown = calls("other", "unsupported")
  }

  /// Starts measuring a call. Any thread.
  /// - Returns: a closure that counts the answer and then calls `done`. For an unknown service it
  ///   is `done` itself, because the call has been counted already.
  func measured(
    _ service: String, _ done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void
  ) -> @Sendable (Result<[UInt8], WorkerError>) -> Void {
    guard let instruments = services[service] else {
      unknown.increment()
      return done
    }
    let begin = ContinuousClock.now
    return { result in
      instruments.duration.observe(begin.duration(to: .now))
      switch result {
      case .success: instruments.answered.increment()
      case .failure: instruments.refused.increment()
      }
      done(result)
    }
  }
}
