/// One line of the table: what was measured, what the kernel alone needs, what is asked for.
package struct BenchResult: Sendable {
  /// What a measured value has to be.
  package enum Target: Sendable {
    /// At most this multiple of the probe.
    case ratio(Double)
    /// At most so much.
    case atMost(Double)
    /// At most so much more than the probe.
    case overProbe(Double)
    /// Shown for information.
    case none
  }

  package var name: String
  package var unit: String
  package var measured: Double
  package var probe: Double?
  package var target: Target = .none
  /// The ratio of the rounds in which both were measured one after the other.
  private var roundRatio: Double?

  package init(
    name: String, unit: String, measured: Double, probe: Double? = nil, target: Target = .none
  ) {
    self.name = name
    self.unit = unit
    self.measured = measured
    self.probe = probe
    self.target = target
  }

  /// What was measured in rounds, each right beside its probe. The machine changes its pace: the
  /// ratio is the median of the rounds' own ratios, not that of the medians.
  package init(
    name: String, unit: String, rounds: [(measured: Double, probe: Double)], target: Target
  ) {
    self.init(
      name: name, unit: unit, measured: rounds.map(\.measured).median,
      probe: rounds.map(\.probe).median, target: target)
    roundRatio = rounds.map { $0.measured / $0.probe }.median
  }

  package var ratio: Double? {
    guard let probe, probe > 0 else { return nil }
    return roundRatio ?? measured / probe
  }

  /// Whether the target is met; nil where there is none.
  package var met: Bool? {
    switch target {
    case .ratio(let most): ratio.map { $0 <= most }
    case .atMost(let most): measured <= most
    case .overProbe(let most): probe.map { measured - $0 <= most }
    case .none: nil
    }
  }
}
