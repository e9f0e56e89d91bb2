internal import AgentStore
internal import AgentSystem
internal import Synchronization

extension EventBus {
  /// What follows on the start of a standing query, outside of the bus's lock.
  private enum FirstStep {
    case wait
    /// Events that the bus remembers wait already.
    case announce
    case readLog
  }

  /// Starts a standing query. The caller ends it with ``unsubscribe(_:)``.
  /// - Parameters:
  ///   - window: events of the last `window` milliseconds come first.
  ///   - position: events after this position come first. A predecessor of the consumer has stopped
  ///     there. A position beyond the log counts as the newest. See
  ///     ``EventSubscription/beganAnew``.
  ///   - capacity: the maximum number of events that wait for the consumer.
  ///   - account: of the client's stream that consumes the events, and that bounds their bytes.
  ///   - available: called outside of any lock, on any thread, when events wait. The consumer then
  ///     calls `take`. It must return quickly.
  public func subscribe(
    to query: EventQuery, window: Int64 = 0, after position: UInt64? = nil, capacity: Int = 1024,
    overflow: EventOverflow = .dropOldest, account: StreamAccount? = nil,
    available: @escaping @Sendable (EventSubscription) -> Void
  ) -> EventSubscription {
    let since = window > 0 ? now().subtracting(window) : nil
    // The entry is made under the lock that gives events their positions. Each event is therefore
    // either in the past that is read, or delivered, and never both or neither.
    let (subscription, next) = state.withLock { state -> (EventSubscription, FirstStep) in
      let isBehind = state.store != nil && (since != nil || position != nil)
      let subscription = EventSubscription(
        query: query, capacity: capacity,
        // Without a log the events can't be read later.
        overflow: state.store == nil && overflow == .readLog ? .dropOldest : overflow,
        // With a later position it would skip all events up to there.
        position: min(position ?? .max, state.position), isBehind: isBehind,
        beganAnew: position.map { $0 > state.position } ?? false, account: account,
        available: available)
      state.audiences.insert(subscription)
      guard !isBehind, since != nil || position != nil else {
        return (subscription, isBehind ? .readLog : .wait)
      }
      let past = state.memory.events.filter { event in
        (event.timestamp >= since ?? .max || event.position > position ?? .max)
          && query.matches(event)
      }
      return (subscription, subscription.recall(Array(past)) ? .announce : .wait)
    }
    switch next {
    case .announce: subscription.announce()
    case .readLog: startReading(for: subscription, since: since)
    case .wait: break
    }
    return subscription
  }

  /// Ends a standing query. Waiting events are dropped.
  public func unsubscribe(_ subscription: EventSubscription) {
    // One lock covers both changes, so that its numbers are never missing from the sums and never
    // counted twice.
    let waiters = state.withLock { state in
      let isKnown = state.audiences.remove(subscription)
      state.consumers[ObjectIdentifier(subscription)] = nil
      let (statistics, waiters) = subscription.close()
      if isKnown { state.ended.add(statistics) }
      return waiters
    }
    // Publishers that wait for its space continue. They publish, so this is outside of the lock.
    for waiter in waiters { waiter() }
  }

  /// Returns accepted events, oldest first.
  /// - Parameters:
  ///   - window: only events of the last `window` milliseconds. Nil means all.
  ///   - limit: the maximum number of events. The newest are returned, at most ``maxListBytes`` of
  ///     them.
  /// - Returns: the events, and whether older ones matched too.
  public func events(
    matching query: EventQuery, window: Int64? = nil, limit: Int = 1000
  ) async throws -> (events: [Event], truncated: Bool) {
    let since = window.map { now().subtracting(max(0, $0)) }
    var found = EventList(limit: limit)
    let number = budget.withLock { $0.begin(query.text, span: nil, at: now()) }
    defer { budget.withLock { $0.end(number, at: now()) } }
    if let store = await openLog() {
      let reader = EventLogReader(store: store, query: query)
      // The log is read backwards, only as far as the limit needs.
      for try await events in try await reader.newestFirst(since: since, limit: limit) {
        if found.add(events) { break }
      }
      budget.withLock { $0.endPast(number, at: now()) }
    } else {
      _ = found.add(
        state.withLock { $0.memory.events }.reversed().filter {
          $0.timestamp >= since ?? .min && query.matches($0)
        })
    }
    return (found.events.reversed(), found.isTruncated)
  }

  /// The maximum size of one list of events, in bytes of JSON.
  public static let maxListBytes = 16 << 20

  /// Collects the newest matching events up to both limits.
  private struct EventList {
    let limit: Int
    private(set) var events: [Event] = []
    private(set) var isTruncated = false
    private var bytes = 0

    init(limit: Int) {
      self.limit = max(0, limit)
    }

    /// - Returns: whether a limit is reached and events are left out.
    mutating func add(_ more: [Event]) -> Bool {
      for event in more {
        bytes += event.encoded.count
        // The first event is returned whatever its size. Otherwise it could never be read.
        if events.count >= limit || (bytes > EventBus.maxListBytes && !events.isEmpty) {
          isTruncated = true
          return true
        }
        events.append(event)
      }
      return false
    }
  }

  // MARK: Reading the log

  /// Starts a task that reads the log for a subscription until it has caught up with the bus.
  func startReading(for subscription: EventSubscription, since: Int64? = nil) {
    guard let store = state.withLock({ $0.store }) else { return }
    let account = subscription.account
    let feed = EventFeed(
      reader: EventLogReader(
        store: store, query: subscription.query,
        pageBytes: account.map { _ in StreamBudget.maxQueue / 2 }), subscription: subscription,
      pause: pause)
    // Clients may open hundreds of streams over a long past. Their events are decoded where queries
    // run, so that all other tasks keep their threads.
    // The reference is weak, because a reader that waits for a slow consumer must not keep the bus.
    Task(executorPreference: account == nil ? nil : queries) { [weak self] in
      await feed.run(since: since) { [weak self] reached in
        self?.goLive(subscription, reached) ?? true
      }
    }
  }

  /// Makes the bus deliver to a subscription from now on, if it has read as far as the bus.
  /// - Returns: whether it has.
  private func goLive(_ subscription: EventSubscription, _ reached: UInt64) -> Bool {
    let announces = state.withLock { state -> Bool? in
      // The lock gives positions, so no event can come between this check and the delivery.
      guard state.position <= reached else { return nil }
      return subscription.catchUp()
    }
    if announces == true { subscription.announce() }
    return announces != nil
  }
}
