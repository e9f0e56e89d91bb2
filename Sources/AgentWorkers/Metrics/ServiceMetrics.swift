package import AgentMetrics
internal import AgentWorkerProtocol

/// Counts what modules ask of the host's services, and how long the answers take.
package struct ServiceMetrics: Sendable {
  private struct Instruments {
    let answered: Counter
    let refused: Counter
    let duration: Histogram
  }

  private let services: [String: Instruments]
  private let unknown: Counter

  /// - Parameter services: those that are offered; others are one, since a module may ask for
  ///   anything.
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
    // One series for all: a module could otherwise make any number of them.
    unknown = calls("other", "unsupported")
  }

  /// `done`, which counts the answer too.
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
