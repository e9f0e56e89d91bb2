public import AgentJSON
public import AgentStore
internal import Synchronization

/// The host's events: takes them in, stores them, hands them to who asked.
///
/// With a log (``open(_:)``) an event is delivered once it is durable, in the order of the log.
/// Without one it is delivered at once, and the newest are remembered. Safe from every thread.
public final class EventBus: Sendable {
  let retention: EventRetention
  let now: @Sendable () -> Int64
  let pause: @Sendable (Duration) async throws -> Void
  let state: Mutex<EventBusState>
  let ledger = Mutex(QueryLedger())
  let knownTypes = Mutex(EventTypes())
  let ages = Mutex(AgeTrust())
  /// The types under which the host publishes its log.
  let forwarded = Mutex<[String: Int]>([:])

  /// - Parameters:
  ///   - retention: how much a bus without a log remembers.
  ///   - awaitsLog: what is published waits until ``open(_:)`` brings the log.
  ///   - pause: waits so long: before what failed is tried again, and until a query has something
  ///     to do.
  ///   - now: the clock, in Unix milliseconds.
  public init(
    retention: EventRetention = EventRetention(), awaitsLog: Bool = false,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    now: @escaping @Sendable () -> Int64
  ) {
    self.pause = pause
    self.retention = retention
    self.now = now
    state = Mutex(EventBusState(log: awaitsLog ? .awaited([]) : .none))
  }

  /// From now on events are stored in `store` before they are delivered.
  public func open(_ store: any Store) async throws {
    let (last, types) = try await store.read {
      (try $0.events.lastPosition(), try $0.events.types())
    }
    let moment = now()
    ages.withLock { $0.opened(newest: types.compactMap(\.last).filter { $0 <= moment }.max()) }
    knownTypes.withLock { $0.refresh(types.lazy.map(\.type)) }
    let waiting = state.withLock { state in
      defer { state.log = .store(store) }
      state.position = max(state.position, UInt64(clamping: last))
      if case .awaited(let waiting) = state.log { return waiting } else { return [] }
    }
    for publish in waiting { publish() }
  }

  /// How many events were taken in, are remembered without a log, and how many standing queries
  /// there are.
  public var counts: (published: UInt64, remembered: Int, subscriptions: Int) {
    state.withLock { ($0.published, $0.memory.events.count, $0.audiences.count) }
  }

  // MARK: Publishing

  /// Takes events of the host's own in and doesn't wait until they are stored. All or none: an event
  /// that isn't valid refuses the whole call.
  /// - Parameters:
  ///   - objects: the events; `timestamp` and `source` are filled in where they are missing.
  ///   - source: the name of who publishes.
  ///   - publisher: who that is; what somebody else sends never comes this way as the host's.
  public func publish(
    _ objects: [JSONObject], source: String, by publisher: EventPublisher = .host
  ) throws(EventError) {
    try publish(objects, source: source, by: publisher) { _ in }
  }

  /// Takes events in and returns when they are durable and were delivered.
  public func store(
    _ objects: [JSONObject], source: String, by publisher: EventPublisher = .guest
  ) async throws(EventError) -> [Event] {
    let drafts = try drafts(of: objects, source: source, by: publisher)
    return try await withCheckedContinuation { continuation in
      accept(drafts) { continuation.resume(returning: $0) }
    }.get()
  }

  /// Takes events in. `completion` is called once, from any thread: with the events when they are
  /// durable and were delivered, and none who receives them holds publishers up; or with the reason
  /// why none was stored. It must be quick.
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
        // Only what is stored counts: what isn't says nothing of those of its type that are.
        if !draft.modifiers.skipsStorage, draft.type != lastType {
          try checkLogTakes(draft, of: publisher)
          lastType = draft.type
        }
        drafts.append(draft)
      } catch {
        guard objects.count > 1 else { throw error }
        throw EventError(
          error.code, message: "Event \(index + 1) of \(objects.count): \(error.message)")
      }
    }
    return drafts
  }

  /// A bus with a log keeps no more than so many types. What the host itself has to say is always
  /// said.
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
