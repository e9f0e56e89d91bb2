internal import AgentJSON
public import AgentQueries
internal import AgentStore
internal import DequeModule
internal import Synchronization

extension EventBus {
  /// Runs a query, first over the past that its span asks for, then over new events, until its span
  /// or the task ends.
  ///
  /// - Parameter say: gets every message in turn, and the query waits for it. A slow listener slows
  ///   the query down, which then reads from the log what it has missed.
  /// - Returns: the costs of each step.
  @discardableResult
  public func run(
    _ plan: QueryPlan, span: QuerySpan = .live,
    _ say: (QueryMessage) async throws -> Void
  ) async throws -> [StageFigures] {
    try await run(QueryRequest(plan: plan, span: span, border: border), say, costs: nil)
  }

  /// The arguments of a query that is to run.
  struct QueryRequest: Sendable {
    let plan: QueryPlan
    let span: QuerySpan
    /// Where the present begins, and when that was read; nil for the end of the log when it is
    /// open.
    let border: Border?
    var resumption: QueryResumption?
  }

  /// A place in the log, and the moment in Unix milliseconds at which it was read.
  struct Border: Sendable {
    let position: UInt64
    let moment: Int64
  }

  /// Reports from time to time what each step of a live query has cost so far.
  struct CostReports {
    /// The least time between two reports, in milliseconds.
    let pause: Int64
    let say: ([StageFigures]) async throws -> Void
  }

  /// Where the present begins; nil while the log isn't open, because only the log knows its end.
  var border: Border? {
    let moment = now()
    return state.withLock { state in
      if case .awaited = state.log { return nil }
      return Border(position: state.position, moment: moment)
    }
  }

  func run(
    _ request: QueryRequest, _ say: (QueryMessage) async throws -> Void, costs: CostReports?
  ) async throws -> [StageFigures] {
    _ = await openLog()
    let beginning = beginning(of: request)
    let running = RunningQuery(
      request.plan, span: request.span, continuation: beginning.continuation)
    let query = EventQuery(request.plan.filter, text: request.plan.query.text.string)
    let number = ledger.withLock {
      $0.begin(query.text, span: request.span.description, at: now())
    }
    defer { ledger.withLock { $0.end(number, at: now()) } }
    for message in running.start(at: beginning.moment) { try await say(message) }
    if let warning = beginning.warning { try await say(.warning(warning)) }
    if let mark = running.mark(at: beginning.border) { try await say(.mark(mark)) }
    if running.wantsHistory {
      try await past(of: query, running, through: beginning.border, say)
      // Events that came since the border was read are still to be taken, so the query's time is
      // that of the border.
      for message in running.endHistory(at: beginning.moment) { try await say(message) }
      ledger.withLock { $0.endPast(number, stages: running.figures, at: now()) }
    }
    try await follow(running, query, after: beginning.border, say, costs, number)
    for message in running.destroy(at: now()) { try await say(message) }
    return running.figures
  }

  private func beginning(of request: QueryRequest) -> QueryBeginning {
    let moment = now()
    let border =
      request.border
      ?? state.withLock { Border(position: $0.position, moment: moment) }
    var beginning = QueryBeginning(border: border.position, moment: border.moment)
    if let resumption = request.resumption {
      beginning.resume(resumption, of: request.plan, request.span)
    }
    return beginning
  }

  /// Feeds the events of the query's span to it, in the order of their timestamps.
  private func past(
    of query: EventQuery, _ running: RunningQuery, through border: UInt64,
    _ say: (QueryMessage) async throws -> Void
  ) async throws {
    let (store, remembered) = state.withLock { ($0.store, $0.memory.events) }
    let moments = running.history
    guard let store else {
      for event in remembered where moments.contains(event.timestamp) && query.matches(event) {
        for message in running.take(event.object, at: event.timestamp, matched: true) {
          try await say(message)
        }
      }
      return
    }
    let pages = try await EventLogReader(store: store, query: query)
      .rows(since: moments.begin, before: moments.end, through: border, running.plan.needs)
    for try await rows in pages {
      for row in rows {
        for message in running.take(row.object, at: row.timestamp, matched: true) {
          try await say(message)
        }
        // A query such as one with a limit ends by itself.
        guard running.isRunning else { return }
      }
    }
  }

  /// Feeds new events to the query, and the time when it has something to do.
  private func follow(
    _ running: RunningQuery, _ query: EventQuery, after border: UInt64,
    _ say: (QueryMessage) async throws -> Void, _ costs: CostReports?, _ number: Int
  ) async throws {
    guard running.isRunning else { return }
    // One element at most: a round takes all that waits, so that more wake-ups say nothing new.
    let (wakes, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // After the past, and behind the border: what came meanwhile is read from the log, once.
    let subscription = subscribe(to: query, after: border, capacity: 4096, overflow: .readLog) {
      _ in
      source.yield()
    }
    let alarm = Alarm(pause: pause) { source.yield() }
    // The first round, for a query that has something to do before an event comes.
    source.yield()
    defer {
      alarm.cancel()
      unsubscribe(subscription)
    }
    var follower = QueryFollower(running, subscription, bus: self, number: number)
    for await _ in wakes {
      repeat {
        try await follower.takeRound(say)
        guard running.isRunning, !Task.isCancelled else { return }
        if let costs { try await follower.report(costs) }
        // Other tasks of this thread run, however many events wait.
        await Task.yield()
      } while follower.hasMore
      alarm.set(follower.due, now: now())
    }
  }
}
