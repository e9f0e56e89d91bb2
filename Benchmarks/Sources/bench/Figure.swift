/// One line of the table: what was measured, what the kernel alone needs, what is asked for.
struct Figure: Sendable {
  /// What a measured value has to be.
  enum Target: Sendable {
    /// At most so many times the probe.
    case ratio(Double)
    /// At most so much.
    case atMost(Double)
    /// At most so much more than the probe.
    case overProbe(Double)
    /// Shown for information.
    case none
  }

  var name: String
  var unit: String
  var measured: Double
  var probe: Double?
  var target: Target = .none

  var ratio: Double? {
    guard let probe, probe > 0 else { return nil }
    return measured / probe
  }

  /// Whether the target is met; nil where there is none.
  var met: Bool? {
    switch target {
    case .ratio(let most): ratio.map { $0 <= most }
    case .atMost(let most): measured <= most
    case .overProbe(let most): probe.map { measured - $0 <= most }
    case .none: nil
    }
  }
}
