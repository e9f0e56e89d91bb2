internal import AgentEvents
internal import AgentJSON
internal import AgentQueries
internal import AgentWorkerProtocol

/// The source of a module's subscription. Safe from every thread.
protocol EventSource: Sendable {
  /// Takes up to `most` of the waiting events, oldest first, and no more once these have `bytes`
  /// bytes. One thread at a time.
  func take(_ most: Int, bytes: Int) -> TakenEvents
  /// The module has acknowledged `count` events, oldest first.
  func dealtWith(_ count: Int)
  /// Ends it. `continues`: the process goes on in another worker.
  func end(continues: Bool)
}

/// The events that were taken from a source.
struct TakenEvents {
  /// Each as JSON.
  var events: [[UInt8]] = []
  /// How many were lost before them.
  var dropped: UInt64 = 0
  /// Whether more wait.
  var hasMore = false
  /// The end of the subscription, if it ends with these events: normally, or with an error.
  var end: Result<Void, WorkerError>?
}

/// An open source, and whether a thread takes from it just now.
struct OpenSource {
  let source: any EventSource
  private var isTaking = false
  private var isAskedAgain = false

  init(source: any EventSource) { self.source = source }

  /// The source, for a thread that takes from it and then calls ``finish()``. Nil while another
  /// thread takes; that one takes once more.
  mutating func begin() -> (any EventSource)? {
    // The newest events may have come after the other thread has taken.
    if isTaking { isAskedAgain = true }
    guard !isTaking else { return nil }
    isTaking = true
    return source
  }

  /// Whether to take once more.
  mutating func finish() -> Bool {
    defer { (isTaking, isAskedAgain) = (false, false) }
    return isAskedAgain
  }
}

extension WorkerServices {
  /// Opens what a module asks for; `available` is called, from any thread, when something waits.
  /// - Parameters:
  ///   - account: counts what waits; nil for a module inside the host.
  ///   - refusals: counts a query that ends at a limit; nil for a module inside the host.
  /// - Throws: what is wrong with the request.
  func source(
    of request: Subscribe, for process: String, account: StreamAccount? = nil,
    refusals: Refusals? = nil, available: @escaping @Sendable () -> Void
  ) throws(WorkerError) -> any EventSource {
    if let capacity = request.capacity, !(1...FrameBounds.maxCapacity).contains(capacity) {
      throw WorkerError(
        .invalidArgument, "A \"capacity\" is 1 to \(FrameBounds.maxCapacity); found \(capacity).")
    }
    do {
      if let span = request.span {
        let plan = try QueryPlan(Query(parsing: request.query))
        let outputs = events.outputs(
          of: plan, span: try QuerySpan(parsing: span), resuming: try resumption(request),
          account: account, owner: .process(process))
        return QuerySource(outputs, account: account, refusals: refusals, available: available)
      }
      let query = try EventQuery(parsing: request.query)
      if let consumer = request.consumer {
        return try ConsumerSource(
          name: "\(process)/\(consumer)", query: query, request: request, services: self,
          process: process, account: account, available: available)
      }
      return LiveSource(
        query: query, request: request, events: events, positions: positions, process: process,
        account: account, available: available)
    } catch let error as WorkerError {
      throw error
    } catch {
      throw WorkerError(.invalidArgument, "\(error)")
    }
  }
}

private func resumption(_ request: Subscribe) throws(WorkerError) -> QueryResumption? {
  guard let after = request.after else { return nil }
  if let resumption = QueryResumption(parsing: after) { return resumption }
  throw WorkerError(
    .invalidArgument, "\"after\" is \"now\" or the mark of a message; found \"\(after)\".")
}

/// Events as they are delivered, from where another worker of the same process had come to.
struct LiveSource: EventSource {
  private let subscription: EventSubscription
  private let bus: EventBus
  private let positions: SubscriptionPositions
  private let process: String

  init(
    query: EventQuery, request: Subscribe, events bus: EventBus,
    positions: SubscriptionPositions, process: String, account: StreamAccount?,
    available: @escaping @Sendable () -> Void
  ) {
    self.bus = bus
    self.positions = positions
    self.process = process
    subscription = bus.subscribe(
      to: query, window: Int64(request.windowMilliseconds ?? 0),
      after: positions.resume(query, of: process), capacity: request.capacity ?? 1024,
      overflow: EventOverflow(request.overflow), account: account
    ) { _ in available() }
  }

  func take(_ most: Int, bytes: Int) -> TakenEvents {
    let (events, dropped) = subscription.take(most, bytes: bytes)
    return TakenEvents(
      events: events.map(\.encoded), dropped: dropped, hasMore: subscription.waiting > 0)
  }

  func dealtWith(_ count: Int) {}

  func end(continues: Bool) {
    bus.unsubscribe(subscription)
    if continues { positions.keep(subscription, of: process) }
  }
}

extension EventOverflow {
  init(_ wire: Subscribe.Overflow) {
    switch wire {
    case .dropOldest: self = .dropOldest
    case .dropNewest: self = .dropNewest
    case .block: self = .block
    case .readLog: self = .readLog
    }
  }
}
