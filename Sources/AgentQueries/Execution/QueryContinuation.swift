/// How a query resumes.
public enum QueryContinuation: Sendable, Hashable {
  /// It runs live and begins with the event after a position of the log. Nil means new events only.
  case rows(after: UInt64?)
  /// It makes the outputs after the moment `silent` from the events since `rows`. The first step
  /// that uses time begins after `outputs`.
  case outputs(rows: Int64, outputs: Int64, silent: Int64)
  /// It can't resume, because its outputs depend on all earlier events.
  case anew
}

extension QueryPlan {
  /// Returns how the query resumes.
  ///
  /// A mark is ignored if it is of another kind, or further ahead of the clock than `slack`. A
  /// clock that was set back explains only a smaller distance.
  /// - Parameters:
  ///   - mark: the last mark. Nil means a query that begins now, with its windows full.
  ///   - span: the span for a query without a mark. A query whose span ends can't resume.
  ///   - now: the clock's time in Unix milliseconds.
  ///   - slack: how far a moment may be ahead of the clock, in milliseconds.
  public func continuation(
    after mark: QueryMark?, span: QuerySpan = .live, at now: Int64,
    slack: Int64 = QueryTiming().setBack
  ) -> QueryContinuation {
    let moments = span.moments(at: now, calendar)
    guard moments.end == nil else { return .anew }
    var (position, moment): (UInt64?, Int64) = (nil, moments.begin)
    switch mark {
    case .position(let known): position = known
    case .moment(let known) where known.clamped <= now.clamped + slack: moment = known.clamped
    case .moment, nil: break
    }
    switch stages.reach(after: moment) {
    case .rows: return .rows(after: position)
    case .since(let rows, let outputs):
      return .outputs(rows: rows, outputs: outputs, silent: moment)
    case .unbounded: return .anew
    }
  }

  /// Whether its outputs depend only on a limited time, so that it may begin anew.
  var isBounded: Bool {
    if case .unbounded = stages.reach(after: 0) { false } else { true }
  }
}
