internal import AgentQueries
internal import AgentStore
internal import DequeModule

/// What a bus holds, under its lock.
struct EventBusState {
  /// Where events go before they are delivered.
  enum Log {
    /// Nowhere: the bus remembers some itself.
    case none
    /// Into a store that isn't open yet; so long this waits.
    case awaited([@Sendable () -> Void])
    case store(any Store)
  }

  var log: Log
  /// The position of the newest event that was delivered.
  var position: UInt64 = 0
  var subscriptions: [UInt64: EventSubscription] = [:]
  var filters = FilterIndex<UInt64>()
  var nextSubscription: UInt64 = 1
  var memory = EventMemory()
  var published: UInt64 = 0

  var store: (any Store)? {
    if case .store(let store) = log { store } else { nil }
  }

  mutating func insert(_ subscription: EventSubscription) {
    subscriptions[subscription.id] = subscription
    filters.insert(subscription.query.filter, id: subscription.id)
  }

  mutating func remove(_ subscription: EventSubscription) {
    subscriptions[subscription.id] = nil
    filters.remove(subscription.id)
  }

  /// The subscriptions that events are for, each with its own.
  func receivers(of events: [Event]) -> [(EventSubscription, [Event])] {
    if events.count == 1, let event = events.first {
      return filters.matching(event.object).compactMap { id in
        subscriptions[id].map { ($0, events) }
      }
    }
    var found: [UInt64: [Event]] = [:]
    for event in events {
      for id in filters.matching(event.object) { found[id, default: []].append(event) }
    }
    return found.compactMap { id, events in subscriptions[id].map { ($0, events) } }
  }
}

/// The newest events of a bus without a log.
struct EventMemory {
  private(set) var events: Deque<Event> = []
  private var bytes = 0

  mutating func remember(_ new: [Event], now: Int64, _ retention: EventRetention) {
    for event in new {
      events.append(event)
      bytes += event.encoded.count
    }
    let oldest = now - retention.age
    while let first = events.first,
      first.timestamp < oldest || events.count > retention.count || bytes > retention.bytes
    {
      bytes -= first.encoded.count
      events.removeFirst()
    }
  }
}
