internal import DequeModule
internal import Synchronization

/// A standing query and the bounded queue of events that wait for its consumer. Safe from every
/// thread.
///
/// `available` is called once when events wait. The consumer takes any number of them with `take`.
/// `available` is called again when events come after `take` has emptied the queue.
public final class EventSubscription: Sendable {
  struct Queue {
    var events = EventQueue()
    /// The number of events lost since the last `take`.
    var dropped: UInt64 = 0
    /// The number of all lost events.
    var lost: UInt64 = 0
    /// The number of events that the consumer has taken.
    var taken: UInt64 = 0
    var isAnnounced = false
    var isClosed = false
    /// The position of the newest taken event, or the position where the subscription began.
    var position: UInt64 = 0
    /// Events up to this position are queued, taken or skipped. They aren't queued again.
    var reached: UInt64 = 0
    /// Whether it reads the log because it hasn't caught up with the bus.
    var isBehind = false
    /// Events that aren't stored and came while the log is read.
    var held: Deque<Event> = []
    var heldBytes = 0
    /// The bytes that the account knows of.
    var counted = 0
    /// Whether a publisher has waited in vain. Until there is space, the oldest events are lost.
    var hasGivenUp = false
    /// The number of the present wait of publishers. Nil means that none waits.
    var wait: UInt64?
    var lastWait: UInt64 = 0
    var whenSpaceAvailable: [@Sendable () -> Void] = []

    /// The size of the texts of all events in it, in bytes.
    var bytes: Int { events.bytes + heldBytes }

    mutating func drop(_ count: Int) {
      dropped += UInt64(clamping: count)
      lost += UInt64(clamping: count)
    }
  }

  /// The work of the bus after a delivery, outside of its lock.
  struct Delivery {
    /// The consumer must be notified.
    var announces = false
    /// Events didn't fit, and the log must be read for them.
    var fallsBehind = false
    /// The publisher must wait.
    var isFull = false
  }

  public let query: EventQuery
  /// The maximum number of waiting events.
  public let capacity: Int
  /// The policy for events beyond the capacity.
  public let overflow: EventOverflow
  /// Whether its starting position is beyond the log, such as one of a replaced database. It then
  /// begins with new events.
  public let beganAnew: Bool
  /// The maximum size of the texts of waiting events, in bytes. Beyond it the queue is full. With an
  /// account there is less: see ``StreamBudget``.
  public static let maxBytes = 64 << 20
  /// How long publishers wait for space if the policy is ``EventOverflow/block``.
  public static let publisherPatience = Duration.seconds(30)
  /// The account of the client's stream, or of the worker's subscription. Nil means that nothing is
  /// shared.
  let account: StreamAccount?

  let queue: Mutex<Queue>
  private let available: @Sendable (EventSubscription) -> Void

  init(
    query: EventQuery, capacity: Int, overflow: EventOverflow, position: UInt64,
    isBehind: Bool, beganAnew: Bool = false, account: StreamAccount? = nil,
    available: @escaping @Sendable (EventSubscription) -> Void
  ) {
    self.query = query
    self.capacity = max(1, capacity)
    self.overflow = overflow
    self.beganAnew = beganAnew
    self.account = account
    self.available = available
    queue = Mutex(Queue(position: position, reached: position, isBehind: isBehind))
  }

  /// The maximum size of the texts of its waiting events, in bytes. It doesn't change during one
  /// change of the queue, because that is counted at its end.
  func byteCapacity(_ queue: Queue) -> Int {
    account?.queueBytes(holding: queue.counted) ?? Self.maxBytes
  }

  /// The same, while nobody else uses the account.
  private var byteLimit: Int {
    switch account?.budget.use {
    case .streams: StreamBudget.maxQueue
    case .subscriptions, nil: Self.maxBytes
    }
  }

  /// Changes the queue under its lock, and tells the account what it holds now.
  func change<Value: Sendable>(_ body: (inout Queue) -> Value) -> Value {
    queue.withLock { queue in
      defer {
        account?.hold(queue.bytes - queue.counted)
        queue.counted = queue.bytes
      }
      return body(&queue)
    }
  }

  /// Takes up to `most` events, oldest first, and the number of events lost since the last call.
  /// - Parameter bytes: no further event is taken after this size of JSON is reached.
  public func take(_ most: Int, bytes: Int = .max) -> (events: [Event], dropped: UInt64) {
    let taken = change { queue in
      let events = queue.events.take(bytes == .max ? most : queue.events.count(most, bytes: bytes))
      queue.taken += UInt64(clamping: events.count)
      if queue.events.isEmpty { queue.isAnnounced = false }
      if let last = events.last { queue.position = max(queue.position, last.position) }
      let dropped = queue.dropped
      // A call that takes nothing leaves the number for the next call.
      if most > 0 { queue.dropped = 0 }
      return (events: events, dropped: dropped, waiters: waiters(&queue))
    }
    // Publishers continue here and may deliver to this queue, so this is outside of the lock.
    for waiter in taken.waiters { waiter() }
    return (taken.events, taken.dropped)
  }

  /// The position up to which events were taken. A successor that continues after it misses
  /// nothing.
  public var position: UInt64 { queue.withLock { $0.position } }

  /// The number of waiting events.
  public var waiting: Int { queue.withLock { $0.events.count } }

  /// Whether it reads the log because it hasn't caught up with the bus.
  public var isBehind: Bool { queue.withLock { $0.isBehind } }

  /// Whether it has caught up with the bus and no event waits.
  var hasCaughtUp: Bool {
    queue.withLock { !$0.isBehind && $0.events.isEmpty && $0.held.isEmpty }
  }

  /// Returns whether no event waits and all taken ones are up to a position.
  func isIdle(acknowledged position: UInt64) -> Bool {
    queue.withLock { queue in
      queue.events.isEmpty && queue.held.isEmpty && !queue.isBehind && queue.position <= position
    }
  }

  func announce() { available(self) }

  /// Its metrics so far.
  var statistics: SubscriptionStatistics {
    let isOfStream = account != nil
    return queue.withLock {
      SubscriptionStatistics(
        taken: $0.taken, dropped: $0.lost, waiting: $0.events.count,
        bytes: isOfStream ? 0 : $0.bytes, maxBytes: isOfStream ? 0 : Self.maxBytes,
        isBehind: $0.isBehind)
    }
  }

  /// Ends it. It refuses new events and drops waiting ones.
  /// - Returns: its metrics, and the waiters that the caller calls outside of any lock.
  func close() -> (statistics: SubscriptionStatistics, waiters: [@Sendable () -> Void]) {
    change { queue in
      queue.isClosed = true
      queue.events.removeAll()
      queue.held.removeAll()
      queue.heldBytes = 0
      let statistics = SubscriptionStatistics(taken: queue.taken, dropped: queue.lost)
      return (statistics, waiters(&queue))
    }
  }

  /// Calls `action` once, when there is space or the subscription ends. This may be at once.
  func whenSpaceAvailable(_ action: @escaping @Sendable () -> Void) {
    let isNow = queue.withLock { queue in
      if queue.isClosed || hasSpace(queue) { return true }
      queue.whenSpaceAvailable.append(action)
      return false
    }
    // The action may take the lock, so this is outside of it.
    if isNow { action() }
  }

  private func hasSpace(_ queue: Queue) -> Bool {
    // Half of the capacity must be free, so that a publisher or a reader of the log doesn't wake
    // for each taken event.
    queue.events.count <= capacity / 2 && queue.events.bytes <= byteLimit / 2
  }

  private func waiters(_ queue: inout Queue) -> [@Sendable () -> Void] {
    guard queue.isClosed || hasSpace(queue) else { return [] }
    queue.hasGivenUp = false
    return Self.released(&queue)
  }

  private static func released(_ queue: inout Queue) -> [@Sendable () -> Void] {
    queue.wait = nil
    defer { queue.whenSpaceAvailable = [] }
    return queue.whenSpaceAvailable
  }

  // MARK: Publishers that wait

  /// Begins a wait of publishers.
  /// - Returns: its number for ``giveUp(_:)``. Nil means that they wait already, or that there is
  ///   space.
  func beginWait() -> UInt64? {
    queue.withLock { queue in
      guard !queue.isClosed, queue.wait == nil, !hasSpace(queue) else { return nil }
      queue.lastWait &+= 1
      queue.wait = queue.lastWait
      return queue.wait
    }
  }

  /// Ends a wait that has lasted too long. The publishers go on. The oldest events are lost until
  /// there is space again.
  func giveUp(_ wait: UInt64) {
    let waiters = change { queue -> [@Sendable () -> Void] in
      // There was space in the meantime.
      guard queue.wait == wait else { return [] }
      queue.hasGivenUp = true
      dropBeyondCapacity(in: &queue)
      return Self.released(&queue)
    }
    for waiter in waiters { waiter() }
  }
}
