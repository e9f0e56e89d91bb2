internal import AgentJSON
public import AgentQueries
internal import AgentStore
internal import DequeModule
internal import Synchronization

extension EventBus {
  /// Runs a query: over the past that its span asks for, then over what happens, until its span or
  /// the task ends.
  ///
  /// - Parameter say: is told every message in turn, and waited for: a slow listener slows the query
  ///   down, which then reads from the log what it has missed.
  /// - Returns: what each step has cost.
  @discardableResult
  public func run(
    _ plan: QueryPlan, span: QuerySpan = .live,
    _ say: (QueryMessage) async throws -> Void
  ) async throws -> [StageFigures] {
    try await run(plan, span: span, after: border, say, costs: nil)
  }

  /// How often at most what a query has cost is written down, in milliseconds.
  private static let entryPause: Int64 = 1000

  /// Who is told now and then what each step of a live query has cost so far.
  struct CostReports {
    /// How often at most, in milliseconds.
    let pause: Int64
    let say: ([StageFigures]) async throws -> Void
  }

  /// Where the present begins; nil while the log isn't open, which says where it ends.
  var border: UInt64? {
    state.withLock { state in
      if case .awaited = state.log { nil } else { state.position }
    }
  }

  /// - Parameter known: what has a greater position is delivered live; nil for where the log ends
  ///   when it is open.
  func run(
    _ plan: QueryPlan, span: QuerySpan, after known: UInt64?,
    _ say: (QueryMessage) async throws -> Void, costs: CostReports?
  ) async throws -> [StageFigures] {
    _ = await openLog()
    let border = known ?? state.withLock { $0.position }
    let running = RunningQuery(plan, span: span)
    let query = EventQuery(plan.filter, text: plan.query.text.string)
    let number = ledger.withLock {
      $0.begin(query.text, span: span.description, at: now())
    }
    defer { ledger.withLock { $0.end(number, at: now()) } }
    for message in running.start(at: now()) { try await say(message) }
    if running.wantsHistory {
      try await past(of: query, running.history, through: border, plan.needs) { object, moment in
        for message in running.take(object, at: moment, matched: true) {
          try await say(message)
        }
      }
      for message in running.endHistory(at: now()) { try await say(message) }
      ledger.withLock { $0.endPast(number, stages: running.figures, at: now()) }
    }
    try await follow(running, query, after: border, say, costs, number)
    for message in running.destroy(at: now()) { try await say(message) }
    return running.figures
  }

  /// The events of a span, in the order of their timestamps.
  private func past(
    of query: EventQuery, _ moments: SpanMoments, through border: UInt64, _ needs: FieldNeeds,
    _ take: (JSONObject, Int64) async throws -> Void
  ) async throws {
    let (store, remembered) = state.withLock { ($0.store, $0.memory.events) }
    guard let store else {
      for event in remembered where moments.contains(event.timestamp) && query.matches(event) {
        try await take(event.object, event.timestamp)
      }
      return
    }
    let pages = try await EventLogReader(store: store, query: query)
      .rows(since: moments.begin, before: moments.end, through: border, needs)
    for try await rows in pages {
      for row in rows { try await take(row.object, row.timestamp) }
    }
  }

  /// Live, with the time told when the query has something to do.
  private func follow(
    _ running: RunningQuery, _ query: EventQuery, after border: UInt64,
    _ say: (QueryMessage) async throws -> Void, _ costs: CostReports?, _ number: Int
  ) async throws {
    guard running.isRunning else { return }
    let (wakes, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = subscribe(to: query, after: border, capacity: 4096, overflow: .readLog) {
      _ in
      source.yield()
    }
    var alarm = Alarm(pause: pause) { source.yield() }
    source.yield()
    defer {
      alarm.cancel()
      unsubscribe(subscription)
    }
    var lastReport = now()
    var lastEntry = lastReport
    for await _ in wakes {
      while running.isRunning {
        let events = subscription.take(512).events
        for event in events {
          for message in running.take(
            event.object, at: event.timestamp, position: event.isStored ? event.position : nil,
            matched: true)
          { try await say(message) }
        }
        if events.isEmpty { break }
      }
      let moment = now()
      for message in running.advance(to: moment) { try await say(message) }
      if moment - lastEntry >= Self.entryPause {
        lastEntry = moment
        ledger.withLock { $0.update(number, stages: running.figures) }
      }
      guard running.isRunning, !Task.isCancelled else { return }
      if let costs, now() - lastReport >= costs.pause {
        lastReport = now()
        try await costs.say(running.figures)
      }
      alarm.set(running.due ?? .max, now: now())
    }
  }
}
