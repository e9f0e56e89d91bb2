package import AgentMetrics

/// Counts the calls of a contribution and measures how long they take.
package struct InvocationMetrics {
  let registry: MetricsRegistry
  let module: String
  let contribution: String
  let duration: Histogram

  package init(_ registry: MetricsRegistry, module: String, contribution: String) {
    self.registry = registry
    self.module = module
    self.contribution = contribution
    duration = registry.histogram(
      "bulkhead_invocation_seconds",
      help: "Time of calls of contributions, from the request to the response.",
      labels: ["module": module, "contribution": contribution])
  }

  /// Makes a call, and records its duration and its outcome.
  /// - Returns: the answer of the call.
  /// - Throws: the error of the call.
  package func measured<Answer>(
    _ call: () async throws(HostError) -> Answer
  ) async throws(HostError) -> Answer {
    let begin = ContinuousClock.now
    do {
      let answer = try await call()
      ended("ok", begin)
      return answer
    } catch {
      ended(error.code.outcome, begin)
      throw error
    }
  }

  private func ended(_ outcome: String, _ begin: ContinuousClock.Instant) {
    duration.observe(begin.duration(to: .now))
    registry.counter(
      "bulkhead_invocations_total", help: "Calls of contributions, by outcome.",
      labels: ["module": module, "contribution": contribution, "outcome": outcome]
    ).increment()
  }
}

extension HostError.Code {
  /// The value of the label `outcome` for this code.
  fileprivate var outcome: String {
    switch self {
    case .invalid: "invalid"
    case .deadlineExceeded: "deadline_exceeded"
    default: "failed"
    }
  }
}
