/// The moments at which a zone's clock shows a local time. All times are Unix milliseconds.
public enum LocalTimeResolution: Sendable, Hashable {
  /// The clock shows it once.
  case once(Int64)
  /// The clock never shows it, because it was put forward at `jump`.
  case skipped(jump: Int64)
  /// The clock shows it twice, because it was put back.
  case repeated(first: Int64, second: Int64)

  /// The single moment for callers that need one: right after the jump for a skipped time, the
  /// first one for a repeated time.
  public var time: Int64 {
    switch self {
    case .once(let time), .skipped(let time), .repeated(let time, _): time
    }
  }
}

extension TimeZoneRules {
  /// Returns the moments at which the zone's clock shows `local`.
  public func resolve(_ local: LocalTime) -> LocalTimeResolution {
    // No offset exceeds ±26 hours, so the first possible moment lies in this span or after it.
    var span = span(at: local.seconds - 27 * 3600)
    var found: [Int] = []
    var jump: Int?
    while span.start <= local.seconds + 27 * 3600 {
      let instant = local.seconds - span.offset
      if instant >= span.start, instant < span.end {
        found.append(instant)
      } else if instant < span.start, local.seconds - span.offsetBefore >= span.start {
        jump = jump ?? span.start
      }
      guard span.end < TimeZoneSpan.never else { break }
      span = self.span(at: span.end)
    }
    if found.count > 1 {
      return .repeated(first: Int64(found[0]) * 1000, second: Int64(found[1]) * 1000)
    }
    if let only = found.first { return .once(Int64(only) * 1000) }
    return .skipped(jump: Int64(jump ?? local.seconds) * 1000)
  }
}
