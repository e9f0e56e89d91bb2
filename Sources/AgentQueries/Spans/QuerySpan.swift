/// Which time a query looks at: `last 60 seconds`, `today`, `since 2026-01-31`, `from … to …`.
///
/// A span that doesn't end in the past goes on live after its history.
public struct QuerySpan: Sendable, Hashable, CustomStringConvertible {
  /// One end of a span.
  enum Edge: Sendable, Hashable {
    /// The moment at which the query starts.
    case now
    /// This period before the start of the query.
    case ago(QueryPeriod)
    /// The beginning of the unit that the start of the query lies in, or of one before.
    case unit(QueryPeriod.Unit, back: Int)
    /// A date and time of day on the calendar.
    case local(Int64)
    /// A moment in Unix milliseconds.
    case moment(Int64)
  }

  /// Where it begins; nil for a query without history.
  let begin: Edge?
  /// Where it ends; nil for one that goes on.
  let end: Edge?
  /// As it was written.
  public let description: String
  /// Hints to a storage of another system (`#partial='1'`): they change nothing here.
  public let hints: [String]
  /// Whether it ends when the query starts, whatever its end is.
  private var isPast = false

  /// No history: rows from the start of the query on.
  public static let live = QuerySpan(begin: nil, end: nil, text: "none", hints: [])
  /// All that ever was, and then what happens.
  public static let all = QuerySpan(begin: .moment(0), end: nil, text: "all", hints: [])

  init(begin: Edge?, end: Edge?, text: String, hints: [String]) {
    self.begin = begin
    self.end = end
    description = text
    self.hints = hints
  }

  /// As much of the span as lies in the past when the query starts: it never goes on live.
  public var past: QuerySpan {
    var span = self
    span.isPast = true
    return span
  }

  /// The span's moments for a query that starts at `now`.
  public func moments(at now: Int64, _ calendar: QueryCalendar = .utc) -> SpanMoments {
    let begin = begin.map { $0.moment(at: now, calendar) } ?? now.clamped
    var end = end.map { $0.moment(at: now, calendar) }
    if isPast { end = min(end ?? .max, now.clamped) }
    return SpanMoments(
      begin: begin, end: end.map { max($0, begin) }, hasHistory: self.begin != nil && begin < now)
  }
}

/// The interval of a span for a query that has started.
public struct SpanMoments: Sendable, Hashable {
  /// The first moment that belongs to it, in Unix milliseconds.
  public let begin: Int64
  /// The first moment that doesn't any more; nil where it goes on.
  public let end: Int64?
  /// Whether rows of the past belong to it.
  public let hasHistory: Bool

  /// Whether a row of `time` belongs to it.
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
