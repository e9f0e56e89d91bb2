internal import AgentStore
internal import AgentSystem
internal import Synchronization

extension EventBus {
  /// Starts a standing query.
  /// - Parameters:
  ///   - window: events of the last so many milliseconds come first.
  ///   - position: what came after this position comes first too: where a predecessor of the
  ///     consumer has stopped. One that the log hasn't come to counts as the newest; see
  ///     ``EventSubscription/beganAnew``.
  ///   - capacity: how many events may wait for the consumer.
  ///   - available: called, outside of any lock, when events wait; the consumer then calls `take`.
  public func subscribe(
    to query: EventQuery, window: Int64 = 0, after position: UInt64? = nil, capacity: Int = 1024,
    overflow: EventOverflow = .dropOldest,
    available: @escaping @Sendable (EventSubscription) -> Void
  ) -> EventSubscription {
    let since = window > 0 ? now().subtracting(window) : nil
    let (subscription, announces, isBehind) = state.withLock { state in
      let isBehind = state.store != nil && (since != nil || position != nil)
      let subscription = EventSubscription(
        query: query, capacity: capacity,
        overflow: state.store == nil && overflow == .readLog ? .dropOldest : overflow,
        // Else everything up to there would be taken for what was delivered before.
        position: min(position ?? .max, state.position), isBehind: isBehind,
        beganAnew: position.map { $0 > state.position } ?? false, available: available)
      state.audiences.insert(subscription)
      guard !isBehind, since != nil || position != nil else {
        return (subscription, false, isBehind)
      }
      let past = state.memory.events.filter { event in
        (event.timestamp >= since ?? .max || event.position > position ?? .max)
          && query.matches(event)
      }
      return (subscription, subscription.recall(Array(past)), false)
    }
    if announces { subscription.announce() }
    if isBehind { startReading(for: subscription, since: since) }
    return subscription
  }

  /// Ends a standing query; what still waits for it is dropped.
  public func unsubscribe(_ subscription: EventSubscription) {
    // In one go, so that no figure is missing for a moment, or there twice.
    let waiters = state.withLock { state in
      let isKnown = state.audiences.remove(subscription)
      state.consumers[ObjectIdentifier(subscription)] = nil
      let (figures, waiters) = subscription.close()
      if isKnown { state.ended.add(figures) }
      return waiters
    }
    for waiter in waiters { waiter() }
  }

  /// Events that were taken in, oldest first.
  /// - Parameters:
  ///   - window: only those of the last so many milliseconds; nil for all.
  ///   - limit: the newest so many, and no more than ``maxListBytes`` of them.
  /// - Returns: the events, and whether older ones matched too.
  public func events(
    matching query: EventQuery, window: Int64? = nil, limit: Int = 1000
  ) async throws -> (events: [Event], truncated: Bool) {
    let since = window.map { now().subtracting(max(0, $0)) }
    var found = EventList(limit: limit)
    let number = ledger.withLock { $0.begin(query.text, span: nil, at: now()) }
    defer { ledger.withLock { $0.end(number, at: now()) } }
    if let store = await openLog() {
      let reader = EventLogReader(store: store, query: query)
      for try await events in try await reader.newestFirst(since: since) {
        if found.add(events) { break }
      }
      ledger.withLock { $0.endPast(number, at: now()) }
    } else {
      _ = found.add(
        state.withLock { $0.memory.events }.reversed().filter {
          $0.timestamp >= since ?? .min && query.matches($0)
        })
    }
    return (found.events.reversed(), found.isTruncated)
  }

  /// The most bytes of JSON that one list of events has.
  public static let maxListBytes = 16 << 20

  /// The newest events that matched, as many as there may be.
  private struct EventList {
    let limit: Int
    private(set) var events: [Event] = []
    private(set) var isTruncated = false
    private var bytes = 0

    init(limit: Int) {
      self.limit = max(0, limit)
    }

    /// - Returns: whether there are more than there may be.
    mutating func add(_ more: [Event]) -> Bool {
      for event in more {
        bytes += event.encoded.count
        // One is given however large it is: else nobody could ever look at it.
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

  /// Lets a subscription read the log until it has come to where the bus is.
  func startReading(for subscription: EventSubscription, since: Int64? = nil) {
    guard let store = state.withLock({ $0.store }) else { return }
    let feed = EventFeed(
      reader: EventLogReader(store: store, query: subscription.query), subscription: subscription,
      pause: pause)
    Task { [weak self] in
      await feed.run(since: since) { [weak self] reached in
        self?.goLive(subscription, reached) ?? true
      }
    }
  }

  /// Lets a subscription be delivered to from now on, if it has come as far as the bus.
  private func goLive(_ subscription: EventSubscription, _ reached: UInt64) -> Bool {
    let announces = state.withLock { state -> Bool? in
      guard state.position <= reached else { return nil }
      return subscription.catchUp()
    }
    if announces == true { subscription.announce() }
    return announces != nil
  }
}
