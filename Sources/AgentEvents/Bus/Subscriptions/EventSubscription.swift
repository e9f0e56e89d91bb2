internal import DequeModule
internal import Synchronization

/// A standing query and the bounded queue of events that wait for its consumer. Safe from every
/// thread.
///
/// `available` is called once when events wait. The consumer takes as much as it likes with `take`.
/// `available` is called again when events come after `take` has emptied the queue.
public final class EventSubscription: Sendable {
  struct Queue {
    var events = EventQueue()
    /// Events lost since the last `take`.
    var dropped: UInt64 = 0
    /// Events lost in all.
    var lost: UInt64 = 0
    /// Events that the consumer has taken.
    var taken: UInt64 = 0
    var isAnnounced = false
    var isClosed = false
    /// The position of the newest event that was taken, or else the one at which it began.
    var position: UInt64 = 0
    /// Events up to this position are queued, taken or left out, and aren't queued again.
    var reached: UInt64 = 0
    /// Whether it reads the log, because it hasn't caught up with the bus.
    var isBehind = false
    /// Events that aren't stored and came while the log is read.
    var held: Deque<Event> = []
    var heldBytes = 0
    var whenRoom: [@Sendable () -> Void] = []

    mutating func drop(_ count: Int) {
      dropped += UInt64(clamping: count)
      lost += UInt64(clamping: count)
    }
  }

  /// The acts that a delivery asks of the bus, outside of its lock.
  struct Delivery {
    /// The consumer has to be notified.
    var announces = false
    /// Events didn't fit, and are to be read from the log.
    var fallsBehind = false
    /// The publisher has to wait.
    var isFull = false
  }

  public let query: EventQuery
  /// The most events that may wait.
  public let capacity: Int
  /// The policy for events beyond that.
  public let overflow: EventOverflow
  /// Whether it was to go on after a position that the log hasn't reached, such as one of a
  /// database that was replaced. It begins anew then, with new events.
  public let beganAnew: Bool
  /// The most bytes that the texts of waiting events may have together. Beyond that the queue is
  /// full, as it is beyond the capacity.
  public static let maxBytes = 64 << 20

  let queue: Mutex<Queue>
  private let available: @Sendable (EventSubscription) -> Void

  init(
    query: EventQuery, capacity: Int, overflow: EventOverflow, position: UInt64,
    isBehind: Bool, beganAnew: Bool = false,
    available: @escaping @Sendable (EventSubscription) -> Void
  ) {
    self.query = query
    self.capacity = max(1, capacity)
    self.overflow = overflow
    self.beganAnew = beganAnew
    self.available = available
    queue = Mutex(Queue(position: position, reached: position, isBehind: isBehind))
  }

  /// Takes up to `most` events, oldest first, and the number of events lost since the last call.
  /// - Parameter bytes: no more events are taken once those taken have this many bytes as JSON.
  public func take(_ most: Int, bytes: Int = .max) -> (events: [Event], dropped: UInt64) {
    let (events, dropped, waiters) = queue.withLock { queue in
      let events = queue.events.take(bytes == .max ? most : queue.events.count(most, bytes: bytes))
      queue.taken += UInt64(clamping: events.count)
      if queue.events.isEmpty { queue.isAnnounced = false }
      if let last = events.last { queue.position = max(queue.position, last.position) }
      let dropped = queue.dropped
      // A call that takes nothing, as one that only asks, leaves the number for the next one.
      if most > 0 { queue.dropped = 0 }
      return (events, dropped, Self.waiters(&queue, capacity))
    }
    // Outside of the lock: publishers go on here, and may deliver to this queue.
    for waiter in waiters { waiter() }
    return (events, dropped)
  }

  /// The position up to which events were taken. A successor that goes on after it misses nothing.
  public var position: UInt64 { queue.withLock { $0.position } }

  /// How many events wait now.
  public var waiting: Int { queue.withLock { $0.events.count } }

  /// Whether it reads the log because it hasn't caught up with the bus.
  public var isBehind: Bool { queue.withLock { $0.isBehind } }

  /// Whether it has caught up with the bus and nothing waits.
  var hasCaughtUp: Bool {
    queue.withLock { !$0.isBehind && $0.events.isEmpty && $0.held.isEmpty }
  }

  /// Whether nothing waits and all that was taken lies up to a position.
  func isIdle(acknowledged position: UInt64) -> Bool {
    queue.withLock { queue in
      queue.events.isEmpty && queue.held.isEmpty && !queue.isBehind && queue.position <= position
    }
  }

  func announce() { available(self) }

  /// Its numbers so far.
  var figures: SubscriptionFigures {
    queue.withLock {
      SubscriptionFigures(
        taken: $0.taken, dropped: $0.lost, waiting: $0.events.count, isBehind: $0.isBehind)
    }
  }

  /// Ends it: refuses events from now on, and drops those that wait.
  /// - Returns: its numbers, and the waiters that the caller has to call outside of any lock.
  func close() -> (figures: SubscriptionFigures, waiters: [@Sendable () -> Void]) {
    queue.withLock { queue in
      queue.isClosed = true
      queue.events.removeAll()
      queue.held.removeAll()
      queue.heldBytes = 0
      let figures = SubscriptionFigures(taken: queue.taken, dropped: queue.lost)
      return (figures, Self.waiters(&queue, capacity))
    }
  }

  /// Calls `action` once, when there is room or the subscription ends, and at once when that is so.
  func whenRoom(_ action: @escaping @Sendable () -> Void) {
    let isNow = queue.withLock { queue in
      if queue.isClosed || Self.hasRoom(queue, capacity) { return true }
      queue.whenRoom.append(action)
      return false
    }
    // Outside of the lock, which the action may take.
    if isNow { action() }
  }

  private static func hasRoom(_ queue: Queue, _ capacity: Int) -> Bool {
    // Half, so that a publisher or a reader of the log isn't woken for each event that is taken.
    queue.events.count <= capacity / 2 && queue.events.bytes <= maxBytes / 2
  }

  private static func waiters(_ queue: inout Queue, _ capacity: Int) -> [@Sendable () -> Void] {
    guard queue.isClosed || hasRoom(queue, capacity) else { return [] }
    defer { queue.whenRoom = [] }
    return queue.whenRoom
  }
}
