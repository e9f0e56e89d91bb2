public import AgentJSON

/// A query at work: rows and times go in, messages come out. It does no I/O and has no clock.
///
/// The order of calls is ``start(at:)``, then rows of history by ``take(_:at:position:)``, then
/// ``endHistory(at:)``, then rows as they happen, with ``advance(to:)`` every so often: outputs of
/// periods come of it alone. What doesn't fit the state, such as a row before the start, changes
/// nothing. It isn't safe to use from several threads at once.
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
  private var state = QueryState.created
  private var pipeline: QueryPipeline
  private var moments = SpanMoments(begin: 0, end: nil, hasHistory: false)
  private var started: Int64 = 0
  private var nextSpan = Int64.max
  private var position: UInt64?

  /// - Parameters:
  ///   - plan: what to run.
  ///   - span: which time to look at.
  ///   - timing: how to deal with rows that are late or early.
  public init(_ plan: QueryPlan, span: QuerySpan = .live, timing: QueryTiming = QueryTiming()) {
    self.plan = plan
    self.span = span
    self.timing = timing
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
    moments = span.moments(at: started, plan.calendar)
    pipeline = QueryPipeline(plan, timing: timing, now: started)
    position = nil
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
    guard isRunning, isNew(position), moments.contains(time), matched || plan.filter.matches(event)
    else { return [] }
    if state == .history {
      pipeline.takeHistory(event, at: time.clamped)
    } else {
      pipeline.take(event, at: time.clamped)
    }
    return pipeline.drain()
  }

  private func isNew(_ new: UInt64?) -> Bool {
    guard let new else { return true }
    if let position, new <= position { return false }
    position = new
    return true
  }

  /// All rows of history have been taken; what comes next has just happened.
  ///
  /// A span that lies in the past is at its end: the query stops.
  public func endHistory(at now: Int64) -> [QueryMessage] {
    guard state.endHistory() else { return [] }
    if let end = moments.end, end <= started {
      return finished(at: end) + [.endHistory, .stop(reason: .noRealTime)]
    }
    pipeline.begin(at: max(now.clamped, started))
    return pipeline.drain() + pipeline.lossMessages() + [.endHistory, .startRealTime]
  }

  /// Tells the time: outputs that are due go out. A time before the last one changes nothing.
  public func advance(to now: Int64) -> [QueryMessage] {
    let now = now.clamped
    guard state == .realTime else { return isRunning ? spanMessages(at: now) : [] }
    if let end = moments.end, now - timing.lateness >= end {
      return finished(at: end) + [.stop(reason: .endOfSpan)]
    }
    pipeline.advance(to: now)
    return pipeline.drain() + spanMessages(at: now)
  }

  /// When ``advance(to:)`` has something to do next; nil once it takes nothing any more. It may become
  /// earlier with each row.
  public var due: Int64? {
    guard isRunning else { return nil }
    guard state == .realTime else { return nextSpan }
    let end = moments.end.map { $0.clamped + timing.lateness }
    return min(nextSpan, end ?? .max, pipeline.due ?? .max)
  }

  private func spanMessages(at now: Int64) -> [QueryMessage] {
    guard now >= nextSpan else { return [] }
    nextSpan = now.floored(to: 60_000) + 60_000
    return [spanMessage(at: now)] + pipeline.lossMessages()
  }

  private func spanMessage(at now: Int64) -> QueryMessage {
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
    return pipeline.drain() + pipeline.lossMessages()
  }

  /// Ends it for good.
  public func destroy(at now: Int64) -> [QueryMessage] {
    guard state != .destroyed else { return [] }
    let messages = stop(at: now, reason: "Destroyed")
    state = .destroyed
    return messages + [.destroy]
  }

  /// What the query has cost so far, step by step.
  public var figures: [StageFigures] { pipeline.figures() }

  /// Rows that windows left out.
  public var losses: QueryLosses { pipeline.losses }
}
