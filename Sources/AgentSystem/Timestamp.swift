/// A moment of the wall clock. Its arithmetic saturates: no moment that is computed ends the program.
package struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Unix milliseconds.
  package var milliseconds: Int64

  /// A moment in Unix milliseconds.
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package var description: String { "\(milliseconds)" }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The moment that is `duration` later.
  package static func + (moment: Timestamp, duration: Duration) -> Timestamp {
    Timestamp(milliseconds: moment.milliseconds.adding(duration.wholeMilliseconds))
  }

  /// The moment that is `duration` earlier.
  package static func - (moment: Timestamp, duration: Duration) -> Timestamp {
    Timestamp(milliseconds: moment.milliseconds.subtracting(duration.wholeMilliseconds))
  }

  /// The time from one moment to another.
  package static func - (end: Timestamp, start: Timestamp) -> Duration {
    .milliseconds(end.milliseconds.subtracting(start.milliseconds))
  }
}

extension Duration {
  /// The milliseconds that it has, or the nearest number that there is.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds.multiplied(1_000).adding(attoseconds / 1_000_000_000_000_000)
  }
}
