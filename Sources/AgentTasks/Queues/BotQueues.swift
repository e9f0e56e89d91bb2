internal import AgentAssignment

/// The queues for bots, grouped by the bots that may take from them, and the state of a scan.
///
/// The cost of a scan depends on the tasks that bots with a free slot may take, not on all waiting
/// tasks.
struct BotQueues {
  /// A queue that a scan reads.
  struct Request {
    let queueKey: String
    let limit: Int
    /// The number of the latest task that was queued in it when the scan began to read it.
    let lastQueued: UInt64
  }

  /// The first queue of a taker.
  struct First: Comparable {
    let ticket: QueueLimits.Ticket
    let taker: QueueKey.Taker

    static func < (one: First, other: First) -> Bool { one.ticket < other.ticket }
    static func == (one: First, other: First) -> Bool { one.ticket == other.ticket }
  }

  var count = 0
  /// The number of tickets in all heaps, including outdated ones.
  private(set) var tickets = 0
  private var ready: [QueueKey.Taker: BinaryHeap<QueueLimits.Ticket>] = [:]
  /// The queues with limits, ordered by the time at which their rate limit has capacity again.
  var wakes = BinaryHeap<QueueLimits.Wake<SharedLimit>>()
  /// The tickets that the current scan has removed from the heaps, and those of their queues that
  /// may have further tasks.
  private(set) var looked: [QueueLimits.Ticket] = []
  private(set) var unfinished: Set<String> = []

  mutating func push(_ ticket: QueueLimits.Ticket, for taker: QueueKey.Taker) {
    ready[taker, default: .init()].push(ticket)
    tickets += 1
  }

  /// Removes and returns the first ticket of a taker.
  mutating func pop(_ taker: QueueKey.Taker) -> QueueLimits.Ticket? {
    guard let ticket = ready[taker]?.popLeast() else { return nil }
    // Types and bots come and go, so empty heaps are removed.
    if ready[taker]?.count == 0 { ready[taker] = nil }
    tickets -= 1
    return ticket
  }

  /// Removes the tickets from all heaps. Tickets that a scan has removed stay with the scan.
  mutating func removeTickets() { (ready, tickets) = ([:], 0) }

  /// Begins a scan.
  /// - Returns: the tickets of the former scan, which the caller returns to the heaps.
  mutating func begin() -> [QueueLimits.Ticket] {
    defer { (looked, unfinished) = ([], []) }
    return looked
  }

  /// Records that the current scan has removed a ticket from its heap.
  /// - Returns: whether the scan reads the queue now. It has read the queue already if the queue got
  ///   a new ticket after that.
  mutating func look(_ ticket: QueueLimits.Ticket) -> Bool {
    looked.append(ticket)
    return unfinished.insert(ticket.name).inserted
  }

  /// Records that the current scan has read a queue to its end.
  mutating func finish(_ name: String) { unfinished.remove(name) }

  /// Returns the first tickets of the takers. The order is common to all takers, so their heaps are
  /// merged by these.
  /// - Parameter freeBots: the bots with a free slot; `nil` for all.
  func firsts(for freeBots: FreeBots?) -> BinaryHeap<First> {
    BinaryHeap(takers(freeBots).compactMap(first))
  }

  /// Returns the first ticket of a taker.
  func first(_ taker: QueueKey.Taker) -> First? {
    ready[taker]?.least.map { First(ticket: $0, taker: taker) }
  }

  /// Returns the takers with waiting tasks.
  private func takers(_ freeBots: FreeBots?) -> [QueueKey.Taker] {
    guard let freeBots else { return Array(ready.keys) }
    // Searches the smaller collection, because there may be many more queues than bots, or the
    // reverse.
    guard freeBots.types.count + freeBots.bots.count < ready.count else {
      return ready.keys.filter { taker in
        switch taker {
        case .type(let type): freeBots.types[type] != nil
        case .bot(let id): freeBots.bots.contains(id)
        }
      }
    }
    return freeBots.types.keys.map { .type($0) } + freeBots.bots.map { .bot($0) }
  }
}
