/// Finds out when the wall clock was set, or the machine was suspended: then it has moved by more or
/// by less than the steady clock.
package struct ClockWatch: Sendable {
  /// A difference below this is the clock being kept right, not being set.
  package static let tolerance = Duration.milliseconds(200)
  /// How long after a jump nothing is removed because of its age: a clock that was set once may be
  /// set again.
  package static let distrust = Duration.seconds(3_600)

  private var last: ClockReading?
  /// When the clock last jumped, by the steady clock.
  private var jumped: Duration?

  /// Knows nothing yet.
  package init() {}

  /// How far the wall clock has jumped since the last look: less than zero when it was set back, zero
  /// when it has only passed.
  package mutating func jump(at reading: ClockReading) -> Duration {
    defer { last = reading }
    guard let last else { return .zero }
    let difference = (reading.wall - last.wall) - (reading.steady - last.steady)
    guard difference >= Self.tolerance || difference <= .zero - Self.tolerance else { return .zero }
    jumped = reading.steady
    return difference
  }

  /// Somebody knows otherwise that the wall clock may be wrong.
  package mutating func distrust(at steady: Duration) { jumped = steady }

  /// Whether the wall clock has not jumped for long enough to say how old something is.
  package func isTrusted(at reading: ClockReading) -> Bool {
    jumped.map { reading.steady - $0 >= Self.distrust } ?? true
  }
}
