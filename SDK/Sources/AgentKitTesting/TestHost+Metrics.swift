public import AgentKit

extension TestHost {
  /// The health of a component, as the contribution has reported it.
  public struct Health: Sendable, Hashable {
    /// The reported state.
    public let state: AgentKit.Health.State
    /// The reported reason.
    public let reason: String?

    /// Makes a value for a test to compare with.
    public init(state: AgentKit.Health.State, reason: String? = nil) {
      self.state = state
      self.reason = reason
    }
  }

  /// The value of a counter or gauge; nil when there is none with that name and those labels.
  public func metric(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    switch measured(name, labels) {
    case .counter(let value), .gauge(let value): value
    case .histogram, nil: nil
    }
  }

  /// How many values a histogram has counted, and their sum; nil when there is none with that name
  /// and those labels.
  public func histogram(
    _ name: String, _ labels: [String: String] = [:]
  ) -> (count: Int, sum: Double)? {
    guard case .histogram(let histogram)? = measured(name, labels) else { return nil }
    return (histogram.counts.reduce(0, +), histogram.sum)
  }

  /// The health of a component, or of the whole contribution when `component` is nil. Returns nil
  /// when nothing was reported.
  public func health(of component: String? = nil) -> Health? {
    host.metrics.flush()
    return state.read { $0.measured.health[component ?? ""] }
  }

  private func measured(_ name: String, _ labels: [String: String]) -> TestMetrics.Value? {
    host.metrics.flush()
    return state.read { $0.measured.values[TestMetrics.Key(name: name, labels: labels)] }
  }
}
