public import AgentJSON
internal import DequeModule
internal import Synchronization

/// The host's events: takes them in, remembers the recent ones, hands them to who asked.
///
/// Safe from every thread. Publishing never waits for a consumer: each subscription has a bounded
/// queue of its own, and what doesn't fit is dropped there and counted.
public final class EventBus: Sendable {
  private let retention: EventRetention
  private let now: @Sendable () -> Int64
  private let state = Mutex(EventBusState())

  /// - Parameters:
  ///   - retention: how much the bus remembers.
  ///   - now: the clock, in Unix milliseconds.
  public init(
    retention: EventRetention = EventRetention(), now: @escaping @Sendable () -> Int64
  ) {
    self.retention = retention
    self.now = now
  }

  /// Takes events in and hands them to every subscription that matches, in order.
  ///
  /// All or none: an event that isn't valid refuses the whole call.
  /// - Parameters:
  ///   - objects: the events; `timestamp` and `source` are filled in where they are missing.
  ///   - source: the name of the process that publishes.
  @discardableResult
  public func publish(_ objects: [JSONObject], source: String) throws(EventError) -> [Event] {
    let moment = now()
    var events: [Event] = []
    var toldFirst: [EventSubscription] = []
    var failure: EventError?
    state.withLock { state in
      for object in objects {
        do throws(EventError) {
          events.append(
            try Event.checked(
              object, position: state.position + UInt64(events.count) + 1, source: source,
              now: moment))
        } catch {
          failure = error
          return
        }
      }
      state.position += UInt64(events.count)
      state.published += UInt64(events.count)
      for event in events {
        remember(event, in: &state)
        for id in state.interested(in: event) {
          if let subscription = state.subscriptions[id], subscription.query.matches(event),
            subscription.offer(event)
          {
            toldFirst.append(subscription)
          }
        }
      }
      forget(olderThan: moment - retention.age, in: &state)
    }
    if let failure { throw failure }
    for subscription in toldFirst { subscription.announce() }
    return events
  }

  /// Starts a standing query.
  /// - Parameters:
  ///   - window: events of the last so many milliseconds come first, from what is remembered.
  ///   - position: what came after this position comes first too: where a predecessor of the
  ///     consumer has stopped.
  ///   - capacity: how many events may wait for the consumer.
  ///   - available: called, outside of any lock, when events wait; the consumer then calls `take`.
  public func subscribe(
    to query: EventQuery, window: Int64 = 0, after position: UInt64? = nil, capacity: Int = 1024,
    overflow: EventOverflow = .dropOldest,
    available: @escaping @Sendable (EventSubscription) -> Void
  ) -> EventSubscription {
    let since = window > 0 ? now() - min(window, Int64.max / 4) : Int64.max
    let (subscription, isFilled) = state.withLock { state in
      let id = state.nextSubscription
      state.nextSubscription += 1
      let subscription = EventSubscription(
        id: id, query: query, capacity: capacity, overflow: overflow,
        position: position ?? state.position, available: available)
      state.insert(subscription)
      var isFilled = false
      if window > 0 || position != nil {
        for event in state.recent
        where (event.timestamp >= since || event.position > position ?? .max)
          && query.matches(event)
        {
          isFilled = subscription.offer(event) || isFilled
        }
      }
      return (subscription, isFilled)
    }
    if isFilled { subscription.announce() }
    return subscription
  }

  /// Ends a standing query; what still waits for it is dropped.
  public func unsubscribe(_ subscription: EventSubscription) {
    state.withLock { $0.remove(subscription) }
    subscription.close()
  }

  /// Events that are remembered, oldest first.
  /// - Parameters:
  ///   - window: only those of the last so many milliseconds; nil for all that is remembered.
  ///   - limit: the newest so many.
  /// - Returns: the events, and whether older ones matched too.
  public func events(
    matching query: EventQuery, window: Int64? = nil, limit: Int = 1000
  ) -> (events: [Event], truncated: Bool) {
    let since = window.map { now() - min(max(0, $0), Int64.max / 4) } ?? Int64.min
    return state.withLock { state in
      var found: [Event] = []
      for event in state.recent.reversed()
      where event.timestamp >= since && query.matches(event) {
        if found.count >= limit { return (found.reversed(), true) }
        found.append(event)
      }
      return (found.reversed(), false)
    }
  }

  /// How many events were taken in, are remembered, and how many standing queries there are.
  public var counts: (published: UInt64, remembered: Int, subscriptions: Int) {
    state.withLock { ($0.published, $0.recent.count, $0.subscriptions.count) }
  }

  private func remember(_ event: Event, in state: inout EventBusState) {
    state.recent.append(event)
    state.recentBytes += event.encoded.count
  }

  private func forget(olderThan oldest: Int64, in state: inout EventBusState) {
    while let first = state.recent.first,
      first.timestamp < oldest || state.recent.count > retention.count
        || state.recentBytes > retention.bytes
    {
      state.recentBytes -= first.encoded.count
      state.recent.removeFirst()
    }
  }
}
