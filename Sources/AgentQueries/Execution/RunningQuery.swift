public import AgentJSON

/// A running query. Rows and times go in, and messages come out. It has no I/O and no clock.
///
/// The order of calls is ``start(at:)``, then rows of history by ``take(_:at:position:matched:)``,
/// then ``endHistory(at:)``, then new rows, with ``moveClock(_:)`` before them. Call
/// ``advance(to:seen:)`` regularly, because only it makes the outputs of periods. A call that
/// doesn't fit the state changes nothing, such as a row before the start. It isn't safe for several
/// threads at once.
///
/// Rows carry their position in the log. A row that isn't after the last one is ignored. The caller
/// may therefore subscribe first, read history up to any position, and then pass everything from
/// the subscription. No row is counted twice or lost.
public final class RunningQuery {
  public let plan: QueryPlan
  /// The requested span.
  public let span: QuerySpan
  private let timing: QueryTiming
  private let continuation: QueryContinuation
  private let report: QueryMemoryReport
  private var state = QueryState.created
  private var pipeline: QueryPipeline
  private var moments = SpanMoments(begin: 0, end: nil, hasHistory: false)
  private var started: Int64 = 0
  /// The latest reported time of the clock.
  private var clock: Int64 = 0
  private var nextSpan = Int64.max
  private var position: UInt64?
  /// The metrics of the steps when they were released.
  private var lastStatistics: [StageStatistics]?

  /// - Parameters:
  ///   - plan: the plan to run.
  ///   - span: the span of the query.
  ///   - timing: the limits for late and early rows and for memory.
  ///   - continuation: how the query resumes, in place of the span. Its batches then have marks.
  ///   - report: takes what the steps hold.
  public init(
    _ plan: QueryPlan, span: QuerySpan = .live, timing: QueryTiming = QueryTiming(),
    continuation: QueryContinuation = .anew, report: @escaping QueryMemoryReport = { _ in nil }
  ) {
    self.plan = plan
    self.span = span
    self.timing = timing
    self.continuation = continuation
    self.report = report
    pipeline = QueryPipeline(plan, timing: timing, now: 0, report: report)
  }

  /// Replaces the steps by new ones, which hold nothing.
  private func renew(at now: Int64) {
    pipeline = QueryPipeline(plan, timing: timing, now: now, report: report)
    _ = report(0)
  }

  /// The interval of history that the caller must read. It is valid after the start.
  public var history: SpanMoments { moments }

  /// Whether rows of history are expected.
  public var wantsHistory: Bool { state == .history }

  /// Whether the query takes rows.
  public var isRunning: Bool { state == .history || state == .realTime }

  /// Starts the query, or starts it again after a stop without its former state.
  ///
  /// If the span has no history, real time begins at once.
  public func start(at now: Int64) -> [QueryMessage] {
    guard state.start() else { return [] }
    started = now.clamped
    clock = started
    moments = begin(at: started)
    renew(at: started)
    if case .outputs(_, let outputs, let silent) = continuation {
      pipeline.resume(outputs: outputs, silent: silent)
    }
    (position, lastStatistics) = (nil, nil)
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
  ///   - time: its timestamp in Unix milliseconds.
  ///   - position: its position in the log. Nil means that there is no log.
  ///   - matched: whether the caller has matched the query's filter already, by an index.
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

  /// Returns whether the query has worked so much since the last call that returned true that its
  /// caller should let other queries run.
  public func endSlice() -> Bool { pipeline.endSlice() }

  private func isNew(_ new: UInt64?) -> Bool {
    guard let new else { return true }
    // The subscription overlaps the history that was read, so some events come twice.
    if let position, new <= position { return false }
    position = new
    return true
  }

  /// Returns whether a row belongs to the query. A live query takes new events. If it doesn't use
  /// time, timestamps don't matter, so that a clock that was set back doesn't stop it.
  private func isWithin(_ time: Int64) -> Bool {
    let isLive = state == .realTime && !moments.hasHistory && !plan.looksAtTime
    return isLive ? moments.end.map { time < $0 } ?? true : moments.contains(time)
  }

  /// Ends the history. Later rows are new events.
  ///
  /// If the span is in the past, the query stops.
  /// - Parameter now: the clock's time up to which history was read. Later rows still wait.
  public func endHistory(at now: Int64) -> [QueryMessage] {
    guard state.endHistory() else { return [] }
    if let end = moments.end, end <= started {
      // A span that reaches back without limit has no beginning that time could start from.
      if moments.begin > 0 { pipeline.beginPast(at: moments.begin) }
      return finished(at: end) + [.endHistory, .stop(reason: .noRealTime)]
    }
    pipeline.begin(at: max(now.clamped, started))
    let messages = drained()
    guard isRunning else { return messages }
    return messages + pipeline.lossMessages() + [.endHistory, .startRealTime]
  }

  /// Reports the time before rows are taken that have arrived by then. It makes no output.
  public func moveClock(_ now: Int64) -> [QueryMessage] {
    let now = now.clamped
    guard state == .realTime else { return [] }
    if now < clock - timing.setBack { return setBack(to: now) }
    clock = max(clock, now)
    pipeline.moveClock(now)
    return []
  }

  /// Reports the time. Outputs that are due go out. A time slightly before the last one changes
  /// nothing. If the clock was set back by more, windows begin anew.
  /// - Parameter seen: rows that arrived after this moment of the clock still wait, so the query's
  ///   time doesn't pass it. Nil means that none waits.
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

  /// Handles a clock that was set back. A query that waited for the former time would take no rows
  /// meanwhile.
  private func setBack(to now: Int64) -> [QueryMessage] {
    let length = (clock - now) / 1000
    clock = now
    nextSpan = now.floored(to: 60_000) + 60_000
    // New rows belong to the query's span, although their time is before the start.
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
    renew(at: now)
    pipeline.begin(at: now)
    return messages + [
      .warning("The clock was set back by \(length) s. Windows start afresh.")
    ]
  }

  /// The next time for ``advance(to:seen:)``. Nil means that the query takes nothing any more. Each
  /// row may make the time earlier.
  public var due: Int64? {
    guard isRunning else { return nil }
    guard state == .realTime else { return nextSpan }
    let end = moments.end.map { $0.clamped + timing.lateness }
    return min(nextSpan, end ?? .max, pipeline.due ?? .max)
  }

  /// Returns the progress of the query.
  /// - Parameter position: the query has taken all events up to this position of the log.
  /// - Returns: nil for a query that can't resume after a mark.
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

  /// Stops the query. `at the end` is now. It may start again.
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

  /// Ends the query for good.
  public func destroy(at now: Int64) -> [QueryMessage] {
    guard state != .destroyed else { return [] }
    let messages = stop(at: now, reason: "Destroyed")
    state = .destroyed
    return messages + [.destroy]
  }

  /// The metrics of each step so far.
  public var statistics: [StageStatistics] { lastStatistics ?? pipeline.statistics() }

  /// The rows that steps left out.
  public var losses: QueryLosses { pipeline.losses }

  // MARK: What came out

  /// Returns the messages so far. If the steps exceed their memory, the query ends.
  private func drained() -> [QueryMessage] {
    guard pipeline.isOverfull else { return marked(pipeline.drain()) }
    state = .stopped
    // The metrics are kept, because the steps are released with their memory.
    lastStatistics = pipeline.statistics()
    let losses = pipeline.lossMessages()
    let reason =
      pipeline.refusal
      ?? "The query holds more than \(timing.bytes) bytes in its windows and groups, which is the "
      + "limit. It ends. Group by fewer values, or write a shorter “over” or a longer “every”."
    renew(at: clock)
    return losses + [.warning(reason), .stop(reason: .limit)]
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
