/// When a clock on the wall shows a time. All times are Unix milliseconds.
public enum LocalTimeResolution: Sendable, Hashable {
  /// Once.
  case once(Int64)
  /// Never: the clock was put forward over it, at `jump`.
  case skipped(jump: Int64)
  /// Twice: the clock was put back.
  case repeated(first: Int64, second: Int64)

  /// The time that is taken where one is needed: right after the jump if it was skipped, the first
  /// if there are two.
  public var time: Int64 {
    switch self {
    case .once(let time), .skipped(let time), .repeated(let time, _): time
    }
  }
}

extension TimeZoneRules {
  /// When the zone's wall shows `local`.
  public func resolve(_ local: LocalTime) -> LocalTimeResolution {
    // No offset is beyond ±26 hours, so that the first instant of all that may be meant is here.
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
