/// A span of time without a change of a zone's clock. All numbers are seconds.
struct TimeZoneSpan: Equatable {
  /// A number beyond all computed times. Its negative lies before all of them.
  static let never = 1 << 60
  /// A change of at least this size is a correction of the clock. A smaller one is daylight saving
  /// time, for which Debian's cron compensates; see cron(8), NOTES.
  static let correction = 3 * 3600

  /// The first second.
  var start: Int
  /// The second after the last one.
  var end: Int
  /// The offset of local time from UTC.
  var offset: Int
  /// The offset before `start`.
  var offsetBefore: Int

  /// The first local time for jobs with fixed times in this span. It includes times that the change
  /// skipped, and excludes times that it repeats. After a correction, it is the time that the clock
  /// shows.
  var firstFixedWall: Int {
    let jump = offset - offsetBefore
    return abs(jump) < Self.correction ? start + offsetBefore : start + offset
  }
}
