/// A moment of the wall clock. Its arithmetic saturates, so no computation ends the program.
package struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Unix milliseconds.
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package var description: String { "\(milliseconds)" }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Returns the moment `duration` later.
  package static func + (moment: Timestamp, duration: Duration) -> Timestamp {
    Timestamp(milliseconds: moment.milliseconds.adding(duration.wholeMilliseconds))
  }

  /// Returns the moment `duration` earlier.
  package static func - (moment: Timestamp, duration: Duration) -> Timestamp {
    Timestamp(milliseconds: moment.milliseconds.subtracting(duration.wholeMilliseconds))
  }

  /// Returns the time from one moment to another.
  package static func - (end: Timestamp, start: Timestamp) -> Duration {
    .milliseconds(end.milliseconds.subtracting(start.milliseconds))
  }
}

extension Duration {
  /// The whole milliseconds, or the nearest `Int64`.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds.multiplied(1_000).adding(attoseconds / 1_000_000_000_000_000)
  }
}
