internal import AgentStore
internal import AgentSystem
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
  /// When that was.
  var deliveries = DeliveryClock()
  var audiences = EventAudiences()
  /// The durable consumers that are there.
  var consumers: [ObjectIdentifier: OpenConsumer] = [:]
  var memory = EventMemory()
  var published: UInt64 = 0
  /// What waits of each source of which a batch is on its way to the log.
  var sources: [String: Deque<SourceBatch>] = [:]
  /// What went through subscriptions that have ended.
  var ended = SubscriptionFigures()

  var store: (any Store)? {
    if case .store(let store) = log { store } else { nil }
  }
}

/// A durable consumer that is there.
struct OpenConsumer {
  let name: String
  let subscription: EventSubscription
  /// All up to here was acknowledged.
  var acknowledged: UInt64
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
    let oldest = now.subtracting(retention.age)
    while let first = events.first,
      first.timestamp < oldest || events.count > retention.count || bytes > retention.bytes
    {
      bytes -= first.encoded.count
      events.removeFirst()
    }
  }
}
