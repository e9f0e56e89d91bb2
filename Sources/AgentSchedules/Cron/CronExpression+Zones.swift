extension CronExpression {
  /// The largest difference between two offsets from UTC, rounded up to days. RFC 8536 allows −25
  /// to +26 hours.
  private static let widest = 3 * 86_400

  /// Returns the first fire time after `time`, both in Unix milliseconds. Returns `nil` if there is
  /// none before the year 10000, or `time` is outside ``ScheduleTime``.
  ///
  /// If the clock of the zone is put forward or back by less than three hours, the rules are those
  /// of Debian's cron:
  /// - An expression with a star in minute or hour fires whenever the clock shows a matching time:
  ///   not in skipped time, and twice in repeated time.
  /// - An expression with fixed times fires once for all skipped times, right after the jump. In
  ///   repeated time it fires only in the first pass.
  ///
  /// Larger changes are corrections of the clock. Every expression then fires by the times that the
  /// clock shows.
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
      // No time matches before `next`, so spans that end before it are skipped, whatever their
      // offset. A span close to `from` is searched anyway, because its clock may show the same
      // times again.
      let isFar = span.end > from + Self.widest
      from = isFar ? max(span.end, next - span.offset - Self.widest) : span.end
    }
    return nil
  }

  /// Returns the local time from which the span of an instant is searched.
  private func firstWall(at instant: Int, in span: TimeZoneSpan) -> Int {
    let wall = instant + span.offset
    guard isFixedTime else { return wall }
    return instant == span.start ? span.firstFixedWall : max(wall, span.firstFixedWall)
  }
}
