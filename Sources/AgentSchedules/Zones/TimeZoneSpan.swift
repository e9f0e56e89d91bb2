/// A stretch of time in which a zone's clock isn't set. All numbers are seconds.
struct TimeZoneSpan: Equatable {
  /// Before all, and after all, that is ever computed.
  static let never = 1 << 60
  /// A clock that is set by as much or more is corrected; by less, it is daylight saving time,
  /// whose jobs Debian's cron makes up for: cron(8), NOTES.
  static let correction = 3 * 3600

  /// The first second.
  var start: Int
  /// The second behind the last one.
  var end: Int
  /// What the wall shows less UTC.
  var offset: Int
  /// The same before `start`.
  var offsetBefore: Int

  /// The first time on the wall that jobs of fixed times haven't had yet when the span begins:
  /// skipped times are still to be made up for, repeated ones have been.
  var firstFixedWall: Int {
    let jump = offset - offsetBefore
    return abs(jump) < Self.correction ? start + offsetBefore : start + offset
  }
}
