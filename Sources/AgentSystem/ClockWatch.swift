/// Finds out when the wall clock was set, or the machine was suspended: then it has moved by more or
/// by less than the steady clock.
package struct ClockWatch: Sendable {
  /// A difference below this is the clock being kept right, not being set.
  package static let tolerance = Duration.milliseconds(200)
  /// How long after a jump nothing is removed because of its age: a clock that was set once may be
  /// set again.
  package static let distrust = Duration.seconds(3_600)

  private let tolerance: Duration
  private var last: ClockReading?
  /// When the clock last jumped, by the steady clock.
  private var jumped: Duration?

  /// Knows nothing yet.
  /// - Parameter tolerance: a difference below this is no jump.
  package init(tolerance: Duration = Self.tolerance) { self.tolerance = tolerance }

  /// How far the wall clock has jumped since the last look: less than zero when it was set back, zero
  /// when it has only passed.
  package mutating func jump(at reading: ClockReading) -> Duration {
    defer { last = reading }
    guard let last else { return .zero }
    let difference = (reading.wall - last.wall) - (reading.steady - last.steady)
    guard difference >= tolerance || difference <= .zero - tolerance else { return .zero }
    jumped = reading.steady
    return difference
  }

  /// Somebody knows otherwise that the wall clock may be wrong.
  package mutating func distrust(at steady: Duration) { jumped = steady }

  /// Looks at the clocks, and says whether the wall clock may tell how old something is.
  package mutating func trusts(_ reading: ClockReading) -> Bool {
    _ = jump(at: reading)
    return isTrusted(at: reading)
  }

  /// Whether the wall clock has not jumped for long enough to say how old something is.
  package func isTrusted(at reading: ClockReading) -> Bool {
    jumped.map { reading.steady - $0 >= Self.distrust } ?? true
  }
}
