public import AgentJSON

/// A query at work: rows and times go in, messages come out. It does no I/O and has no clock.
///
/// The order of calls is ``start(at:)``, then rows of history by ``take(_:at:position:matched:)``,
/// then ``endHistory(at:)``, then rows as they happen, ``tell(_:)`` before them, with
/// ``advance(to:seen:)`` every so often: outputs of periods come of it alone. What doesn't fit the state, such as a row before the start,
/// changes nothing. It isn't safe to use from several threads at once.
///
/// Rows carry their position in the log. A row that isn't behind the last one taken is ignored, so
/// that the caller may subscribe first, then read history up to wherever it likes, then hand over
/// all that the subscription brought: none is counted twice, and none is lost.
public final class RunningQuery {
  /// The plan that is run.
  public let plan: QueryPlan
  /// Which time it looks at, as it was asked for.
  public let span: QuerySpan
  private let timing: QueryTiming
  private let continuation: QueryContinuation
  private var state = QueryState.created
  private var pipeline: QueryPipeline
  private var moments = SpanMoments(begin: 0, end: nil, hasHistory: false)
  private var started: Int64 = 0
  /// The latest time of the clock that was told.
  private var clock: Int64 = 0
  private var nextSpan = Int64.max
  private var position: UInt64?
  /// What the steps had cost when they were let go.
  private var lastFigures: [StageFigures]?

  /// - Parameters:
  ///   - plan: what to run.
  ///   - span: which time to look at.
  ///   - timing: how to deal with rows that are late or early, and how much to hold.
  ///   - continuation: how it goes on, in place of what the span says; its batches have marks then.
  public init(
    _ plan: QueryPlan, span: QuerySpan = .live, timing: QueryTiming = QueryTiming(),
    continuation: QueryContinuation = .anew
  ) {
    self.plan = plan
    self.span = span
    self.timing = timing
    self.continuation = continuation
    pipeline = QueryPipeline(plan, timing: timing, now: 0)
  }

  /// Which time the caller has to read history for; meaningful after the start.
  public var history: SpanMoments { moments }

  /// Whether rows of history are expected.
  public var wantsHistory: Bool { state == .history }

  /// Whether it takes rows at all.
  public var isRunning: Bool { state == .history || state == .realTime }

  /// Starts, or starts again after a stop, with nothing remembered.
  ///
  /// Without history in the span real time starts at once.
  public func start(at now: Int64) -> [QueryMessage] {
    guard state.start() else { return [] }
    started = now.clamped
    clock = started
    moments = begin(at: started)
    pipeline = QueryPipeline(plan, timing: timing, now: started)
    if case .outputs(_, let outputs, let silent) = continuation {
      pipeline.resume(outputs: outputs, silent: silent)
    }
    (position, lastFigures) = (nil, nil)
    nextSpan = started + 60_000
    var messages: [QueryMessage] = [
      .start(
        QueryStart(
          columns: plan.columns, groups: plan.groups, span: span.description, steps: plan.summary)),
      spanMessage(at: started),
    ]
    messages += notes.map { .warning($0) }
    return moments.hasHistory ? messages : messages + endHistory(at: started)
  }

  private func begin(at now: Int64) -> SpanMoments {
    switch continuation {
    case .anew, .rows(after: nil): span.moments(at: now, plan.calendar)
    case .rows: SpanMoments(begin: now, end: nil, hasHistory: false)
    case .outputs(let rows, _, _): SpanMoments(begin: rows, end: nil, hasHistory: rows < now)
    }
  }

  private var notes: [String] {
    plan.notes
      + span.hints.map { "The hint \($0) is for another storage: it changes nothing here." }
  }

  /// Takes an event of history or of the present.
  ///
  /// - Parameters:
  ///   - event: the whole event.
  ///   - time: its timestamp, in Unix milliseconds.
  ///   - position: where it stands in the log; nil where there is no log.
  ///   - matched: whether the caller knows that the query's filter matches, by an index.
  public func take(
    _ event: JSONObject, at time: Int64, position: UInt64? = nil, matched: Bool = false
  ) -> [QueryMessage] {
    guard isRunning, isNew(position), isWithin(time), matched || plan.filter.matches(event)
    else { return [] }
    if state == .history {
      pipeline.takeHistory(event, at: time.clamped)
    } else {
      pipeline.take(event, at: time.clamped)
    }
    return drained()
  }

  private func isNew(_ new: UInt64?) -> Bool {
    guard let new else { return true }
    if let position, new <= position { return false }
    position = new
    return true
  }

  /// A live query takes what comes from now on. Where it doesn't look at time, the timestamp doesn't
  /// matter: a clock that was set back must not blind it.
  private func isWithin(_ time: Int64) -> Bool {
    let isLive = state == .realTime && !moments.hasHistory && !plan.looksAtTime
    return isLive ? moments.end.map { time < $0 } ?? true : moments.contains(time)
  }

  /// All rows of history have been taken; what comes next has just happened.
  ///
  /// A span that lies in the past is at its end: the query stops.
  /// - Parameter now: the clock's time up to which history was read: rows that came later are still
  ///   to be taken.
  public func endHistory(at now: Int64) -> [QueryMessage] {
    guard state.endHistory() else { return [] }
    if let end = moments.end, end <= started {
      // Nobody can say when a span begins that reaches back to the beginning of all.
      if moments.begin > 0 { pipeline.beginPast(at: moments.begin) }
      return finished(at: end) + [.endHistory, .stop(reason: .noRealTime)]
    }
    pipeline.begin(at: max(now.clamped, started))
    let messages = drained()
    guard isRunning else { return messages }
    return messages + pipeline.lossMessages() + [.endHistory, .startRealTime]
  }

  /// Tells the time before rows are taken that have come by then; no output is due of it.
  public func tell(_ now: Int64) -> [QueryMessage] {
    let now = now.clamped
    guard state == .realTime else { return [] }
    if now < clock - timing.setBack { return setBack(to: now) }
    clock = max(clock, now)
    pipeline.tell(now)
    return []
  }

  /// Tells the time: outputs that are due go out. A time a little before the last one changes
  /// nothing; where the clock was set back by more, windows begin anew.
  /// - Parameter seen: rows that came after this moment of the clock still wait to be taken, so that
  ///   the query's time doesn't go beyond it; nil where none waits.
  public func advance(to now: Int64, seen: Int64? = nil) -> [QueryMessage] {
    let now = now.clamped
    guard state == .realTime else { return isRunning ? spanMessages(at: now) : [] }
    if now < clock - timing.setBack { return setBack(to: now) }
    clock = max(clock, now)
    let known = min(now, seen?.clamped ?? now)
    if let end = moments.end, known - timing.lateness >= end {
      return finished(at: end) + [.stop(reason: .endOfSpan)]
    }
    pipeline.advance(to: now, seen: known)
    let messages = drained()
    return isRunning ? messages + spanMessages(at: now) : messages
  }

  /// The clock was set back: a query that waited for it to catch up would see nothing meanwhile.
  private func setBack(to now: Int64) -> [QueryMessage] {
    let length = (clock - now) / 1000
    clock = now
    nextSpan = now.floored(to: 60_000) + 60_000
    // What comes now is of the query's span, although its time is before the start.
    moments = SpanMoments(
      begin: min(moments.begin, now), end: moments.end, hasHistory: moments.hasHistory)
    guard plan.looksAtTime else { return [] }
    guard plan.isBounded else {
      return [
        .warning(
          "The clock was set back by \(length) s. The query pauses until the clock has caught up, "
            + "because its counts so far can't be repeated.")
      ]
    }
    pipeline.finish(at: pipeline.time)
    let messages = pipeline.drain() + pipeline.lossMessages()
    pipeline = QueryPipeline(plan, timing: timing, now: now)
    pipeline.begin(at: now)
    return messages + [
      .warning("The clock was set back by \(length) s. Windows start afresh.")
    ]
  }

  /// When ``advance(to:seen:)`` has something to do next; nil once it takes nothing any more. It may
  /// become earlier with each row.
  public var due: Int64? {
    guard isRunning else { return nil }
    guard state == .realTime else { return nextSpan }
    let end = moments.end.map { $0.clamped + timing.lateness }
    return min(nextSpan, end ?? .max, pipeline.due ?? .max)
  }

  /// How far it has come.
  /// - Parameter position: all events up to this one of the log have been taken.
  /// - Returns: nil for a query that can't go on behind a mark.
  public func mark(at position: UInt64) -> QueryMark? {
    switch continuation {
    case .anew: nil
    case .rows: .position(position)
    case .outputs(_, _, let silent): .moment(max(silent, pipeline.time))
    }
  }

  private func spanMessages(at now: Int64) -> [QueryMessage] {
    guard now >= nextSpan else { return [] }
    nextSpan = now.floored(to: 60_000) + 60_000
    return [spanMessage(at: now)] + pipeline.lossMessages()
  }

  private func spanMessage(at now: Int64) -> QueryMessage {
    guard continuation == .anew else { return .span(begin: moments.begin, end: now) }
    let current = span.moments(at: now, plan.calendar)
    return .span(begin: span.begin == nil ? started : current.begin, end: current.end ?? now)
  }

  /// Stops; `at the end` is now. It may be started again.
  public func stop(at now: Int64, reason: String = "Stopped") -> [QueryMessage] {
    guard isRunning else { return [] }
    let end = min(max(now.clamped, started), moments.end ?? .latestMoment)
    return finished(at: end) + [.stop(reason: .requested(reason))]
  }

  private func finished(at moment: Int64) -> [QueryMessage] {
    state = .stopped
    pipeline.finish(at: moment)
    return marked(pipeline.drain()) + pipeline.lossMessages()
  }

  /// Ends it for good.
  public func destroy(at now: Int64) -> [QueryMessage] {
    guard state != .destroyed else { return [] }
    let messages = stop(at: now, reason: "Destroyed")
    state = .destroyed
    return messages + [.destroy]
  }

  /// The costs of the query until now, for each step.
  public var figures: [StageFigures] { lastFigures ?? pipeline.figures() }

  /// Rows that steps left out.
  public var losses: QueryLosses { pipeline.losses }

  // MARK: What came out

  /// What came out; the end of the query, where its steps hold more than they may.
  private func drained() -> [QueryMessage] {
    guard pipeline.isOverfull else { return marked(pipeline.drain()) }
    state = .stopped
    lastFigures = pipeline.figures()
    let losses = pipeline.lossMessages()
    pipeline = QueryPipeline(plan, timing: timing, now: clock)
    return losses + [
      .warning(
        "The query holds more than \(timing.bytes) bytes in its windows and groups, which is the "
          + "limit. It ends. Group by fewer values, or write a shorter “over” or a longer “every”."
      ), .stop(reason: .limit),
    ]
  }

  private func marked(_ messages: [QueryMessage]) -> [QueryMessage] {
    guard continuation != .anew else { return messages }
    return messages.map { message in
      guard case .event(var batch) = message else { return message }
      switch continuation {
      case .anew: break
      case .rows: batch.mark = position.map { .position($0) }
      case .outputs(_, _, let silent):
        batch.mark = .moment(max(silent, min(batch.time, pipeline.time)))
      }
      return .event(batch)
    }
  }
}
