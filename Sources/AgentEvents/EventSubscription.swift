internal import DequeModule
internal import Synchronization

/// A standing query and the bounded queue of events that wait for its consumer.
///
/// The consumer is told once through `available` that something waits, takes as much as it likes
/// with `take`, and is told again when more arrives after it found the queue empty.
public final class EventSubscription: Sendable {
  struct Queue {
    var events = EventQueue()
    /// Lost since the consumer was told.
    var dropped: UInt64 = 0
    /// Lost at all.
    var lost: UInt64 = 0
    /// Taken by the consumer.
    var taken: UInt64 = 0
    var isAnnounced = false
    var isClosed = false
    /// The position of the newest event that was taken, or that was there before.
    var position: UInt64 = 0
    /// All up to here is queued or was left out: older ones are not to be queued again.
    var reached: UInt64 = 0
    /// Whether it reads the log, because it isn't where the bus is.
    var isBehind = false
    /// Delivered meanwhile, and in no log.
    var held: Deque<Event> = []
    var heldBytes = 0
    var whenRoom: [@Sendable () -> Void] = []

    mutating func drop(_ count: Int) {
      dropped += UInt64(clamping: count)
      lost += UInt64(clamping: count)
    }
  }

  /// What follows from a delivery.
  struct Delivery {
    /// The consumer has to be told.
    var announces = false
    /// What didn't fit is to be read from the log.
    var fallsBehind = false
    /// Whoever published is to wait.
    var isFull = false
  }

  /// Which events it asks for.
  public let query: EventQuery
  /// How many events may wait.
  public let capacity: Int
  /// What happens beyond that.
  public let overflow: EventOverflow
  /// Whether it was to go on behind a position that the log hasn't come to, such as one of a database
  /// that was replaced: it begins anew, with what comes now.
  public let beganAnew: Bool
  /// How long the texts of the events that wait may be together: beyond that they are too many, as
  /// they are beyond the capacity.
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

  /// Takes up to `most` events, oldest first, and the number lost since the last call.
  /// - Parameter bytes: no more are taken once those taken have so many bytes as JSON.
  public func take(_ most: Int, bytes: Int = .max) -> (events: [Event], dropped: UInt64) {
    let (events, dropped, waiters) = queue.withLock { queue in
      let events = queue.events.take(bytes == .max ? most : queue.events.count(most, bytes: bytes))
      queue.taken += UInt64(clamping: events.count)
      if queue.events.isEmpty { queue.isAnnounced = false }
      if let last = events.last { queue.position = max(queue.position, last.position) }
      let dropped = queue.dropped
      if most > 0 { queue.dropped = 0 }
      return (events, dropped, Self.waiters(&queue, capacity))
    }
    for waiter in waiters { waiter() }
    return (events, dropped)
  }

  /// Where a successor goes on that shall miss nothing: all up to here was taken.
  public var position: UInt64 { queue.withLock { $0.position } }

  /// How many events wait now.
  public var waiting: Int { queue.withLock { $0.events.count } }

  /// Whether it reads the log because it isn't where the bus is.
  public var isBehind: Bool { queue.withLock { $0.isBehind } }

  /// Whether it is where the bus is, and nothing waits.
  var hasCaughtUp: Bool {
    queue.withLock { !$0.isBehind && $0.events.isEmpty && $0.held.isEmpty }
  }

  /// Whether nothing waits, and all that was taken lies before a position.
  func isIdle(acknowledged position: UInt64) -> Bool {
    queue.withLock { queue in
      queue.events.isEmpty && queue.held.isEmpty && !queue.isBehind && queue.position <= position
    }
  }

  func announce() { available(self) }

  /// What went through it so far, and what waits.
  var figures: SubscriptionFigures {
    queue.withLock {
      SubscriptionFigures(
        taken: $0.taken, dropped: $0.lost, waiting: $0.events.count, isBehind: $0.isBehind)
    }
  }

  /// Takes no more, and drops what waits.
  /// - Returns: what went through it, and who is to be called: those who wait for room.
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

  /// Calls `action` once there is room again, or at the end; at once when there is.
  func whenRoom(_ action: @escaping @Sendable () -> Void) {
    let isNow = queue.withLock { queue in
      if queue.isClosed || Self.hasRoom(queue, capacity) { return true }
      queue.whenRoom.append(action)
      return false
    }
    if isNow { action() }
  }

  private static func hasRoom(_ queue: Queue, _ capacity: Int) -> Bool {
    queue.events.count <= capacity / 2 && queue.events.bytes <= maxBytes / 2
  }

  private static func waiters(_ queue: inout Queue, _ capacity: Int) -> [@Sendable () -> Void] {
    guard queue.isClosed || hasRoom(queue, capacity) else { return [] }
    defer { queue.whenRoom = [] }
    return queue.whenRoom
  }
}
