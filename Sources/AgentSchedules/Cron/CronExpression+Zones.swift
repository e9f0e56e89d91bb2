extension CronExpression {
  /// No two offsets from UTC differ by more (RFC 8536 allows −25 to +26 hours).
  private static let widest = 3 * 86_400

  /// The first fire time after `time`, both in Unix milliseconds; nil if there is none before the
  /// year 10000, or `time` itself is out of ``ScheduleTime``.
  ///
  /// Where the zone's clock is put forward or back by less than three hours, Debian's cron is
  /// followed:
  /// - An expression with a star in minute or hour fires whenever the clock on the wall shows what
  ///   is meant: not in skipped time, twice in repeated time.
  /// - One of fixed times fires once for all that was skipped, right after the jump, and in
  ///   repeated time once, in the first pass.
  ///
  /// Larger jumps are corrections: everything fires by what the clock then shows.
  public func next(after time: Int64, in zone: TimeZoneRules) -> Int64? {
    guard let second = ScheduleTime.second(of: time),
      let next = nextSecond(after: second, in: zone)
    else { return nil }
    return ScheduleTime.time(ofSecond: next)
  }

  private func nextSecond(after second: Int, in zone: TimeZoneRules) -> Int? {
    var from = second + 1
    while from <= Int(ScheduleTime.latest / 1000) {
      let span = zone.span(at: from)
      guard let next = nextWall(from: firstWall(at: from, in: span)) else { return nil }
      let instant = max(next - span.offset, span.start)
      if instant < span.end { return instant }
      // Nothing is meant up to `next`. Spans that lie wholly before it, in whatever offset, are
      // left out, but not one so near to `from` that its clock may show again what was shown there.
      let isFar = span.end > from + Self.widest
      from = isFar ? max(span.end, next - span.offset - Self.widest) : span.end
    }
    return nil
  }

  /// From which time on the wall an instant's span is searched.
  private func firstWall(at instant: Int, in span: TimeZoneSpan) -> Int {
    let wall = instant + span.offset
    guard isFixedTime else { return wall }
    return instant == span.start ? span.firstFixedWall : max(wall, span.firstFixedWall)
  }
}
