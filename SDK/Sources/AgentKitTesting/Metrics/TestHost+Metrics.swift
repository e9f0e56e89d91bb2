public import AgentKit

extension TestHost {
  /// How a part of a contribution does, as it said itself.
  public struct Health: Sendable, Hashable {
    /// How it does.
    public let state: AgentKit.Health.State
    /// Why.
    public let reason: String?

    /// What a test compares with.
    public init(state: AgentKit.Health.State, reason: String? = nil) {
      self.state = state
      self.reason = reason
    }
  }

  /// What a counter has counted, or a gauge shows; nil when there is none of that name and those
  /// labels.
  public func metric(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    switch measured(name, labels) {
    case .counter(let value), .gauge(let value): value
    case .histogram, nil: nil
    }
  }

  /// How many values a histogram has counted, and their sum; nil when there is none of that name and
  /// those labels.
  public func histogram(
    _ name: String, _ labels: [String: String] = [:]
  ) -> (count: Int, sum: Double)? {
    guard case .histogram(let histogram)? = measured(name, labels) else { return nil }
    return (histogram.counts.reduce(0, +), histogram.sum)
  }

  /// How a part of the contribution does, nil for the whole; nil when it has said nothing.
  public func health(of component: String? = nil) -> Health? {
    host.metrics.flush()
    return state.read { $0.measured.health[component ?? ""] }
  }

  private func measured(_ name: String, _ labels: [String: String]) -> TestMetrics.Value? {
    host.metrics.flush()
    return state.read { $0.measured.values[TestMetrics.Key(name: name, labels: labels)] }
  }
}
