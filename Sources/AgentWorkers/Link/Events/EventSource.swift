internal import AgentEvents
internal import AgentJSON
internal import AgentQueries
internal import AgentWorkerProtocol

/// The source of the events of a module's subscription. Any thread.
protocol EventSource: Sendable {
  /// Takes up to `most` of the waiting events, oldest first. No further event is taken when these
  /// have `bytes` bytes. Called by one thread at a time.
  func take(_ most: Int, bytes: Int) -> TakenEvents
  /// Called when the module has acknowledged `count` events, oldest first.
  func dealtWith(_ count: Int)
  /// Ends the subscription.
  /// - Parameter continues: whether the process continues in another worker.
  func end(continues: Bool)
}

/// The events that were taken from a source.
struct TakenEvents {
  /// The events, each as JSON.
  var events: [[UInt8]] = []
  /// The number of events that were lost before these.
  var dropped: UInt64 = 0
  /// Whether more events wait.
  var hasMore = false
  /// Success or an error if the subscription ends with these events, else `nil`.
  var end: Result<Void, WorkerError>?
}

/// An open source. It records whether a thread is taking events from it, so that only one does.
struct OpenSource {
  let source: any EventSource
  private var isTaking = false
  private var isAskedAgain = false

  init(source: any EventSource) { self.source = source }

  /// Returns the source to a thread that takes events from it and then calls ``finish()``. Returns
  /// `nil` while another thread takes events. That thread then takes events once more.
  mutating func begin() -> (any EventSource)? {
    // The newest events may have arrived after the other thread took its events.
    if isTaking { isAskedAgain = true }
    guard !isTaking else { return nil }
    isTaking = true
    return source
  }

  /// Ends the taking. Returns whether the thread must take events once more.
  mutating func finish() -> Bool {
    defer { (isTaking, isAskedAgain) = (false, false) }
    return isAskedAgain
  }
}

extension WorkerServices {
  /// Opens the subscription that a module requests and returns its source. Any thread.
  /// - Parameters:
  ///   - account: counts the bytes that wait. `nil` for a module inside the host.
  ///   - refusals: counts a query that ends at a limit. `nil` for a module inside the host.
  ///   - available: called from any thread when events wait.
  /// - Throws: an error that describes the problem of the request.
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

/// The source of events as the bus delivers them. It continues at the position that an earlier
/// worker of the same process had reached.
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
