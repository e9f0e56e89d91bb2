internal import AgentStore
internal import AgentSystem
internal import DequeModule

/// The state of a bus, used under its lock only.
struct EventBusState {
  /// The log that stores events before their delivery.
  enum Log {
    /// There is no log, and the bus remembers some events.
    case none
    /// The store isn't open yet. These calls wait for it.
    case awaited([@Sendable () -> Void])
    case store(any Store)
  }

  var log: Log
  /// The position of the newest event that was delivered.
  var position: UInt64 = 0
  /// The times of deliveries, by position.
  var deliveries = DeliveryClock()
  var audiences = EventAudiences()
  /// The durable consumers that read now.
  var consumers: [ObjectIdentifier: OpenConsumer] = [:]
  var memory = EventMemory()
  var published: UInt64 = 0
  /// The sources with a batch on its way to the log, and the batches that wait behind it.
  var sources: [String: Deque<SourceBatch>] = [:]
  /// The sums of ended subscriptions.
  var ended = SubscriptionStatistics()

  var store: (any Store)? {
    if case .store(let store) = log { store } else { nil }
  }
}

/// A durable consumer that reads now.
struct OpenConsumer {
  let name: String
  let subscription: EventSubscription
  /// Events up to this position are acknowledged.
  var acknowledged: UInt64
  /// When it last acknowledged something or had nothing to read, in Unix milliseconds.
  var seen: Int64
}

/// The newest events of a bus without a log.
struct EventMemory {
  private(set) var events: Deque<Event> = []
  private var bytes = 0

  mutating func remember(_ new: [Event], now: Int64, _ retention: EventMemoryLimits) {
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
