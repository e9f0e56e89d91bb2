internal import AgentJSON
public import AgentQueries
internal import AgentStore
internal import DequeModule
internal import Synchronization

extension EventBus {
  /// Runs a query until its span or the task ends: first over the past that its span covers, then
  /// over new events.
  ///
  /// - Parameter say: gets each message in order, and the query waits for it. If it is slow, the
  ///   query falls behind and reads the missed events from the log.
  /// - Returns: the costs of each step.
  @discardableResult
  public func run(
    _ plan: QueryPlan, span: QuerySpan = .live,
    _ say: (QueryMessage) async throws -> Void
  ) async throws -> [StageStatistics] {
    try await run(QueryRequest(plan: plan, span: span, border: border), say, costs: nil)
  }

  /// The arguments of a query.
  struct QueryRequest: Sendable {
    let plan: QueryPlan
    let span: QuerySpan
    /// The border between past and present, and the time when it was read. Nil means the end of the
    /// log when it is open.
    let border: Border?
    var resumption: QueryResumption?
    /// The account of the client's stream that gets the messages.
    var account: StreamAccount?
    var timing = QueryTiming()
    var owner = QueryOwner.host
    /// Ends the query with a sentence for its reader, because all queries hold too much.
    var end: @Sendable (String) -> Void = { _ in }
  }

  /// A place in the log, and the moment in Unix milliseconds at which it was read.
  struct Border: Sendable {
    let position: UInt64
    let moment: Int64
  }

  /// Reports the costs of each step of a live query from time to time.
  struct CostReports {
    /// The shortest time between two reports, in milliseconds.
    let pause: Int64
    let say: ([StageStatistics]) async throws -> Void
  }

  /// The border between past and present. Nil means that the log isn't open, because only the log
  /// knows its end.
  var border: Border? {
    let moment = now()
    return state.withLock { state in
      if case .awaited = state.log { return nil }
      return Border(position: state.position, moment: moment)
    }
  }

  func run(
    _ request: QueryRequest, _ say: (QueryMessage) async throws -> Void, costs: CostReports?
  ) async throws -> [StageStatistics] {
    try await withTaskExecutorPreference(queries) {
      try await runHere(request, say, costs: costs)
    }
  }

  /// Runs a query on the threads of the caller.
  private func runHere(
    _ request: QueryRequest, _ say: (QueryMessage) async throws -> Void, costs: CostReports?
  ) async throws -> [StageStatistics] {
    _ = await openLog()
    let beginning = beginning(of: request)
    let held = memory.open(request.owner, end: request.end)
    defer { held.close() }
    let running = RunningQuery(
      request.plan, span: request.span, timing: request.timing,
      continuation: beginning.continuation, report: { held.holds($0) })
    let query = EventQuery(request.plan.filter, text: request.plan.query.text.string)
    let number = budget.withLock {
      $0.begin(query.text, span: request.span.description, at: now())
    }
    defer { budget.withLock { $0.end(number, at: now()) } }
    try await held.pass(running.start(at: beginning.moment), to: say)
    if let warning = beginning.warning { try await say(.warning(warning)) }
    if let mark = running.mark(at: beginning.border) { try await say(.mark(mark)) }
    if running.wantsHistory {
      try await past(
        of: query, running, through: beginning.border, account: request.account, held: held,
        say: say)
      // Events since the border was read still follow, so the query's time is that of the border.
      try await held.pass(running.endHistory(at: beginning.moment), to: say)
      budget.withLock { $0.endPast(number, stages: running.statistics, at: now()) }
    }
    try await runLive(
      running, query: query, after: beginning.border, account: request.account, held: held,
      say: say, costs: costs, number: number)
    try await held.pass(running.destroy(at: now()), to: say)
    return running.statistics
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

  /// Passes the events of the query's span to it, in the order of their timestamps.
  private func past(
    of query: EventQuery, _ running: RunningQuery, through border: UInt64,
    account: StreamAccount?, held: HeldQuery, say: (QueryMessage) async throws -> Void
  ) async throws {
    let (store, remembered) = state.withLock { ($0.store, $0.memory.events) }
    let moments = running.history
    guard let store else {
      for event in remembered where moments.contains(event.timestamp) && query.matches(event) {
        try await held.pass(
          running.take(event.object, at: event.timestamp, matched: true), to: say)
        try await running.endRow()
      }
      return
    }
    let pages = try await EventLogReader(store: store, query: query)
      .rows(
        since: moments.begin, before: moments.end, through: border, running.plan.needs,
        on: queries, account: account)
    for try await rows in pages {
      for row in rows {
        try await held.pass(
          running.take(row.object, at: row.timestamp, matched: true), to: say)
        try await running.endRow()
        // A query may end by itself, such as one with a limit.
        guard running.isRunning else { return }
      }
    }
  }

  /// Passes new events to the query, and the time when it has work.
  private func runLive(
    _ running: RunningQuery, query: EventQuery, after border: UInt64, account: StreamAccount?,
    held: HeldQuery, say: (QueryMessage) async throws -> Void, costs: CostReports?, number: Int
  ) async throws {
    guard running.isRunning else { return }
    // One element is enough. A round takes all waiting events, so further wake-ups add nothing.
    let (wakes, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // The subscription begins after the border. Events since then are read from the log, each once.
    let subscription = subscribe(
      to: query, after: border, capacity: 4096, overflow: .readLog, account: account
    ) { _ in source.yield() }
    let timer = QueryTimer(pause: pause) { source.yield() }
    // The first round is for a query that has work before an event comes.
    source.yield()
    defer {
      timer.cancel()
      unsubscribe(subscription)
    }
    var rounds = LiveQueryRounds(running, subscription, bus: self, held: held, number: number)
    for await _ in wakes {
      repeat {
        try await rounds.takeRound(say)
        guard running.isRunning, !Task.isCancelled else { return }
        if let costs { try await rounds.report(costs) }
        // Other tasks of this thread run here, however many events wait.
        await Task.yield()
      } while rounds.hasMore
      timer.set(rounds.due, now: now())
    }
  }
}

extension RunningQuery {
  /// Ends a row: after a slice of time other queries run.
  /// - Throws: `CancellationError` if the query's task was cancelled.
  func endRow() async throws {
    try Task.checkCancellation()
    if endSlice() { await Task.yield() }
  }
}
