/// How a query goes on that was run before.
public enum QueryContinuation: Sendable, Hashable {
  /// Live, with the event behind a position of the log; nil for what comes from now on.
  case rows(after: UInt64?)
  /// With the outputs behind the moment `silent`, which are made of the events since `rows`. The
  /// step that looks at time first begins behind `outputs`.
  case outputs(rows: Int64, outputs: Int64, silent: Int64)
  /// It can't: what it puts out depends on all that it has seen.
  case anew
}

extension QueryPlan {
  /// How the query goes on.
  ///
  /// A mark of another kind, or of a moment that is further ahead of the clock than a clock that is
  /// set back would explain, counts as none.
  /// - Parameters:
  ///   - mark: how far it had come; nil for a query that begins now, with its windows full.
  ///   - span: what one without a mark looks at; one that ends can't go on.
  ///   - now: the clock's time, in Unix milliseconds.
  ///   - slack: how far ahead of the clock a moment may be.
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

  /// Whether what it puts out depends on a bounded time alone, so that it may begin anew.
  var isBounded: Bool {
    if case .unbounded = stages.reach(after: 0) { false } else { true }
  }
}
