/// What a log has taken in, and what it hasn't.
struct LogFigures: Sendable, Hashable {
  /// Records that were taken, by the rank of their level.
  var records = Array(repeating: 0, count: LogLevel.allCases.count)
  /// Records that came faster than they are written.
  var dropped = 0
  /// Records that wait to be written.
  var waiting = 0
}
