/// A moment on the monotonic clock, in nanoseconds from an unspecified start.
///
/// State machines take it as an argument, so tests need no clock.
public struct LoopInstant: Sendable, Hashable, Comparable {
  /// Nanoseconds since the clock's start.
  public var nanoseconds: Int64

  /// Makes the instant `nanoseconds` after the clock's start.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  public static func < (a: LoopInstant, b: LoopInstant) -> Bool {
    a.nanoseconds < b.nanoseconds
  }

  /// Returns the moment `duration` later, or the latest possible one if that is out of range.
  public static func + (instant: LoopInstant, duration: Duration) -> LoopInstant {
    let (sum, over) = instant.nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
    return LoopInstant(nanoseconds: over ? .max : sum)
  }

  /// Returns the time from one moment to another.
  public static func - (later: LoopInstant, earlier: LoopInstant) -> Duration {
    let (difference, over) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return .nanoseconds(over ? .max : difference)
  }
}

extension Duration {
  /// The whole nanoseconds, clamped to 64 bits.
  var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (nanoseconds, over) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if over { return seconds < 0 ? .min : .max }
    let (sum, carry) = nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carry ? (seconds < 0 ? .min : .max) : sum
  }

  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  /// The duration in a sentence, such as `10 s` or `250 ms`.
  var forPeople: String {
    let milliseconds = clampedNanoseconds / 1_000_000
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    let tenths = milliseconds / 100 &+ (milliseconds % 100 < 50 ? 0 : 1)
    return tenths.isMultiple(of: 10) ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
