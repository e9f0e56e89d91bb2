/// Detects that the wall clock was set or the machine was suspended. In both cases the two clocks
/// have moved by different amounts.
package struct ClockWatch: Sendable {
  /// A smaller difference is a correction of the clock by NTP and not a jump.
  package static let tolerance = Duration.milliseconds(200)
  /// How long after a jump nothing is removed by its age. A clock that was set once may be set
  /// again.
  package static let distrust = Duration.seconds(3_600)

  private let tolerance: Duration
  private var last: ClockSample?
  /// The time of the last jump, by the steady clock.
  private var jumped: Duration?

  /// Makes a watch without a first sample.
  /// - Parameter tolerance: a difference below this is no jump.
  package init(tolerance: Duration = Self.tolerance) { self.tolerance = tolerance }

  /// Returns how far the wall clock has jumped since the last sample. The value is negative if the
  /// clock was set back, and zero if there was no jump.
  package mutating func jump(at sample: ClockSample) -> Duration {
    defer { last = sample }
    guard let last else { return .zero }
    let difference = (sample.wall - last.wall) - (sample.steady - last.steady)
    guard difference >= tolerance || difference <= .zero - tolerance else { return .zero }
    jumped = sample.steady
    return difference
  }

  /// Marks the wall clock as untrusted. Called if other evidence shows that it may be wrong.
  package mutating func distrust(at steady: Duration) { jumped = steady }

  /// Takes a sample, and returns whether ages may be computed by the wall clock.
  package mutating func trusts(_ sample: ClockSample) -> Bool {
    _ = jump(at: sample)
    return isTrusted(at: sample)
  }

  /// Returns whether the last jump is long enough ago to compute ages by the wall clock.
  package func isTrusted(at sample: ClockSample) -> Bool {
    jumped.map { sample.steady - $0 >= Self.distrust } ?? true
  }
}
