/// The interval of a query: `last 60 seconds`, `today`, `since 2026-01-31`, `from … to …`.
///
/// A span that doesn't end in the past continues live after its history.
public struct QuerySpan: Sendable, Hashable, CustomStringConvertible {
  /// One end of a span.
  enum Edge: Sendable, Hashable {
    /// The start of the query.
    case now
    /// A period before the start of the query.
    case ago(QueryPeriod)
    /// The beginning of the unit of the query's start, or of an earlier unit.
    case unit(QueryPeriod.Unit, back: Int)
    /// A local date and time of day.
    case local(Int64)
    /// A moment in Unix milliseconds.
    case moment(Int64)
  }

  /// The beginning. Nil means that there is no history.
  let begin: Edge?
  /// The end. Nil means that the query continues live.
  let end: Edge?
  /// The text of the span.
  public let description: String
  /// Hints to the storage of another system (`#partial='1'`). They have no effect here.
  public let hints: [String]
  /// Whether it ends at the start of the query, whatever its end is.
  private var isPast = false

  /// No history. The query begins with new rows.
  public static let live = QuerySpan(begin: nil, end: nil, text: "none", hints: [])
  /// All history, and then new rows.
  public static let all = QuerySpan(begin: .moment(0), end: nil, text: "all", hints: [])

  init(begin: Edge?, end: Edge?, text: String, hints: [String]) {
    self.begin = begin
    self.end = end
    description = text
    self.hints = hints
  }

  /// The past part of the span at the start of the query. It never continues live.
  public var past: QuerySpan {
    var span = self
    span.isPast = true
    return span
  }

  /// Returns the interval for a query that starts at `now`.
  public func moments(at now: Int64, _ calendar: QueryCalendar = .utc) -> SpanMoments {
    let begin = begin.map { $0.moment(at: now, calendar) } ?? now.clamped
    var end = end.map { $0.moment(at: now, calendar) }
    if isPast { end = min(end ?? .max, now.clamped) }
    return SpanMoments(
      begin: begin, end: end.map { max($0, begin) }, hasHistory: self.begin != nil && begin < now)
  }
}

/// The interval of a started query.
public struct SpanMoments: Sendable, Hashable {
  /// The first included moment in Unix milliseconds.
  public let begin: Int64
  /// The first moment that isn't included. Nil means that the query continues live.
  public let end: Int64?
  /// Whether the interval includes past rows.
  public let hasHistory: Bool

  /// Returns whether a row of `time` is included.
  public func contains(_ time: Int64) -> Bool {
    time >= begin && end.map { time < $0 } ?? true
  }
}

extension QuerySpan.Edge {
  func moment(at now: Int64, _ calendar: QueryCalendar) -> Int64 {
    let now = now.clamped
    switch self {
    case .now: return now
    case .ago(let period): return calendar.moment(period, before: now)
    case .unit(let unit, let back):
      let grid = TimeGrid(unit, calendar)
      var start = grid.floor(now)
      for _ in 0..<back { start = grid.previous(before: start) }
      return start
    case .local(let local): return calendar.moment(ofLocal: local)
    case .moment(let moment): return moment.clamped
    }
  }
}
