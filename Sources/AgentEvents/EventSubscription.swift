internal import DequeModule
internal import Synchronization

/// A standing query and the bounded queue of events that wait for its consumer.
///
/// The consumer is told once through `available` that something waits, takes as much as it likes
/// with `take`, and is told again when more arrives after it found the queue empty.
public final class EventSubscription: Sendable {
  struct Queue {
    var events: Deque<Event> = []
    var dropped: UInt64 = 0
    var isAnnounced = false
    var isClosed = false
    /// The position of the newest event that was taken, or that was there before.
    var position: UInt64 = 0
  }

  /// Which events it asks for.
  public let query: EventQuery
  /// How many events may wait.
  public let capacity: Int
  /// What happens beyond that.
  public let overflow: EventOverflow

  let id: UInt64
  private let queue = Mutex(Queue())
  private let available: @Sendable (EventSubscription) -> Void

  init(
    id: UInt64, query: EventQuery, capacity: Int, overflow: EventOverflow, position: UInt64,
    available: @escaping @Sendable (EventSubscription) -> Void
  ) {
    self.id = id
    self.query = query
    self.capacity = max(1, capacity)
    self.overflow = overflow
    self.available = available
    queue.withLock { $0.position = position }
  }

  /// Takes up to `most` events, oldest first, and the number lost since the last call.
  public func take(_ most: Int) -> (events: [Event], dropped: UInt64) {
    queue.withLock { queue in
      let count = min(max(0, most), queue.events.count)
      let events = Array(queue.events.prefix(count))
      queue.events.removeFirst(count)
      if queue.events.isEmpty { queue.isAnnounced = false }
      if let last = events.last { queue.position = max(queue.position, last.position) }
      let dropped = queue.dropped
      if count > 0 || most > 0 { queue.dropped = 0 }
      return (events, dropped)
    }
  }

  /// Where a successor goes on that shall miss nothing: all up to here was taken.
  public var position: UInt64 { queue.withLock { $0.position } }

  /// How many events wait now.
  public var waiting: Int { queue.withLock { $0.events.count } }

  /// Queues an event; whether the consumer has to be told is decided here, the telling follows
  /// in `announce`, outside of the bus's lock.
  func offer(_ event: Event) -> Bool {
    queue.withLock { queue in
      guard !queue.isClosed else { return false }
      if queue.events.count >= capacity {
        queue.dropped += 1
        if overflow == .dropNewest { return false }
        queue.events.removeFirst()
      }
      queue.events.append(event)
      if queue.isAnnounced { return false }
      queue.isAnnounced = true
      return true
    }
  }

  func announce() { available(self) }

  func close() {
    queue.withLock { queue in
      queue.isClosed = true
      queue.events.removeAll()
    }
  }
}
