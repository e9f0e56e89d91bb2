public import AgentJSON
public import AgentStore
internal import AgentSystem
internal import Synchronization

/// Accepts events, stores them and delivers them to subscriptions. Safe from every thread.
///
/// With a log (``open(_:)``) an event is delivered once it is durable, in the order of the log.
/// Without one it is delivered at once, and the newest events are remembered.
public final class EventBus: Sendable {
  let retention: EventMemoryLimits
  let now: @Sendable () -> Int64
  let pause: @Sendable (Duration) async throws -> Void
  let state: Mutex<EventBusState>
  let queries: QueryExecutor
  /// What the streams of all clients hold.
  public let streams: StreamBudget
  /// What all queries hold.
  public let memory: QueryMemory
  let budget = Mutex(QueryBudget())
  let knownTypes = Mutex(EventTypes())
  let ages = Mutex(ClockWatch(tolerance: EventBus.jump))
  let steady: @Sendable () -> Duration
  /// How often each type under which the host publishes its log is reserved.
  let forwarded = Mutex<[String: Int]>([:])

  /// - Parameters:
  ///   - retention: how much a bus without a log remembers.
  ///   - awaitsLog: whether events wait until ``open(_:)`` brings the log.
  ///   - pause: waits for a duration, before another try and until a query has something to do.
  ///   - steady: a clock that nobody sets; nil for the machine's. With it the bus notices that
  ///     `now` was set.
  ///   - now: the clock, in Unix milliseconds.
  public convenience init(
    retention: EventMemoryLimits = EventMemoryLimits(), awaitsLog: Bool = false,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    steady: (@Sendable () -> Duration)? = nil, now: @escaping @Sendable () -> Int64
  ) {
    self.init(
      retention: retention, awaitsLog: awaitsLog, pause: pause, steady: steady, queries: .shared,
      now: now)
  }

  /// - Parameters:
  ///   - queries: the threads of queries.
  ///   - memory: what all queries may hold, in bytes.
  init(
    retention: EventMemoryLimits = EventMemoryLimits(), awaitsLog: Bool = false,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    steady: (@Sendable () -> Duration)? = nil, queries: QueryExecutor,
    memory: Int = QueryMemory.usualLimit, now: @escaping @Sendable () -> Int64
  ) {
    self.queries = queries
    self.memory = QueryMemory(limit: memory)
    self.pause = pause
    let clock: @Sendable () -> Duration = steady ?? { ClockSample.steady() }
    self.steady = clock
    streams = StreamBudget(pause: pause, now: clock)
    self.retention = retention
    self.now = now
    state = Mutex(EventBusState(log: awaitsLog ? .awaited([]) : .none))
  }

  /// Makes a bound for what all subscriptions of one worker hold.
  public func subscriptionBudget() -> StreamBudget {
    StreamBudget(
      for: .subscriptions, maxBytes: StreamBudget.maxWorkerBytes, pause: pause, now: steady)
  }

  /// Opens the log. From now on events are stored in `store` before they are delivered. Events that
  /// waited for the log are stored first.
  public func open(_ store: any Store) async throws {
    let (last, types) = try await store.read {
      (try $0.events.lastPosition(), try $0.events.types())
    }
    compareClock(with: types)
    knownTypes.withLock { $0.refresh(types.lazy.map(\.type)) }
    let waiting = state.withLock { state in
      defer { state.log = .store(store) }
      // The position never decreases. Without a log the bus may have given positions already.
      state.position = max(state.position, UInt64(clamping: last))
      if case .awaited(let waiting) = state.log { return waiting } else { return [] }
    }
    // Each call takes the lock, so this is outside of it.
    for publish in waiting { publish() }
  }

  /// The number of accepted events, of events remembered without a log, and of standing queries.
  public var counts: (published: UInt64, remembered: Int, subscriptions: Int) {
    state.withLock { ($0.published, $0.memory.events.count, $0.audiences.count) }
  }

  /// Which of these types some standing query may match. A publisher of events that aren't stored
  /// needn't make those that nobody gets.
  public func awaited(of types: Set<String>) -> Set<String> {
    state.withLock { state in types.filter { state.audiences.mayMatch(type: $0) } }
  }

  // MARK: Publishing

  /// Accepts the host's own events and doesn't wait until they are stored. An invalid event refuses
  /// the whole call.
  /// - Parameters:
  ///   - objects: the events. A missing `timestamp` or `source` is filled in.
  ///   - source: the name of the publisher.
  ///   - publisher: `.host` only for events that the host itself has made.
  public func publish(
    _ objects: [JSONObject], source: String, by publisher: EventPublisher = .host
  ) throws(EventError) {
    try publish(objects, source: source, by: publisher) { _ in }
  }

  /// Accepts events and returns when they are durable and delivered.
  /// - Throws: `EventError` if an event is invalid, or none could be stored.
  public func store(
    _ objects: [JSONObject], source: String, by publisher: EventPublisher = .guest
  ) async throws(EventError) -> [Event] {
    let drafts = try drafts(of: objects, source: source, by: publisher)
    return try await withCheckedContinuation { continuation in
      accept(drafts) { continuation.resume(returning: $0) }
    }.get()
  }

  /// Accepts events. `completion` is called once, from any thread: with the events when they are
  /// durable and delivered and no subscriber with ``EventOverflow/block`` is full, or with the
  /// reason why none was stored. It must return quickly.
  public func publish(
    _ objects: [JSONObject], source: String, by publisher: EventPublisher = .guest,
    completion: @escaping @Sendable (Result<[Event], EventError>) -> Void
  ) throws(EventError) {
    accept(try drafts(of: objects, source: source, by: publisher), completion)
  }

  func drafts(
    of objects: [JSONObject], source: String, by publisher: EventPublisher
  ) throws(EventError) -> [EventDraft] {
    let (moment, forwarded) = (now(), forwarded.withLock(\.self))
    var drafts: [EventDraft] = []
    drafts.reserveCapacity(objects.count)
    var lastType: String?
    for (index, object) in objects.enumerated() {
      do {
        let draft = try EventDraft(checking: object, source: source, now: moment)
        try publisher.check(type: draft.type, source: draft.source, forwarded: forwarded)
        // One look-up serves successive events of one type. Rationale: an event that isn't stored
        // is skipped here. It once hid the stored event of its type behind it from the limit of
        // types.
        if !draft.modifiers.skipsStorage, draft.type != lastType {
          try checkLogTakes(draft, of: publisher)
          lastType = draft.type
        }
        drafts.append(draft)
      } catch {
        // The index is of no use if there is only one event.
        guard objects.count > 1 else { throw error }
        throw EventError(
          error.code, message: "Event \(index + 1) of \(objects.count): \(error.message)")
      }
    }
    return drafts
  }

  /// Refuses an event of a new type if the log has its maximum number of types. The host's own
  /// events are never refused.
  func checkLogTakes(_ draft: EventDraft, of publisher: EventPublisher) throws(EventError) {
    guard publisher == .guest, !draft.modifiers.skipsStorage else { return }
    let type = draft.type
    let isKnown = knownTypes.withLock { $0.admits(type) }
    if !isKnown {
      throw EventError(
        message: "The log has \(EventTypes.maxCount) types of events, the most it keeps, and "
          + "\(type) isn't one of them. Put the distinguishing part into a field.")
    }
  }
}
