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
  private struct First: Comparable {
    let ticket: QueueLimits.Ticket
    let taker: QueueKey.Taker

    static func < (one: First, other: First) -> Bool { one.ticket < other.ticket }
    static func == (one: First, other: First) -> Bool { one.ticket == other.ticket }
  }

  var count = 0
  /// The number of tickets in all heaps, including outdated ones.
  private(set) var tickets = 0
  private var ready: [QueueKey.Taker: BinaryHeap<QueueLimits.Ticket>] = [:]
  /// The groups, ordered by the time at which their rate limit has capacity again.
  var wakes = BinaryHeap<QueueLimits.Wake>()
  /// The tickets that the current scan has removed from the heaps, and those of their queues that
  /// may have further tasks.
  private(set) var looked: [QueueLimits.Ticket] = []
  private(set) var unfinished: Set<String> = []

  mutating func push(_ ticket: QueueLimits.Ticket, for taker: QueueKey.Taker) {
    ready[taker, default: .init()].push(ticket)
    tickets += 1
  }

  private mutating func pop(_ taker: QueueKey.Taker) -> QueueLimits.Ticket? {
    guard let ticket = ready[taker]?.popLeast() else { return nil }
    // Types and bots come and go, so empty heaps are removed.
    if ready[taker]?.count == 0 { ready[taker] = nil }
    tickets -= 1
    return ticket
  }

  /// Removes outdated tickets. Tickets that a scan has removed stay with the scan.
  mutating func rebuild(_ entries: [String: QueueLimits.Entry]) {
    let out = Set(looked.map(\.number))
    var lists: [QueueKey.Taker: [QueueLimits.Ticket]] = [:]
    for (name, entry) in entries
    where !entry.isOurs && entry.ticket != 0 && !out.contains(entry.ticket) {
      let ticket = QueueLimits.Ticket(head: entry.head, name: name, number: entry.ticket)
      lists[entry.queueKey.taker, default: []].append(ticket)
    }
    tickets = lists.values.reduce(0) { $0 + $1.count }
    ready = lists.mapValues { BinaryHeap($0) }
  }

  /// Begins a scan: returns the tickets of the former scan to the heaps.
  mutating func begin(_ entries: [String: QueueLimits.Entry]) {
    for ticket in looked {
      guard let entry = entries[ticket.name], entry.ticket == ticket.number else { continue }
      push(ticket, for: entry.queueKey.taker)
    }
    (looked, unfinished) = ([], [])
  }

  /// Records that the current scan has read a queue to its end.
  mutating func finish(_ name: String) { unfinished.remove(name) }

  /// Takes queues out of the heaps, those with the least heads first, until `visit` has accepted
  /// `limit` of them.
  /// - Parameters:
  ///   - freeBots: the bots with a free slot; `nil` for all.
  ///   - visit: returns whether the scan reads a queue. A refused queue isn't returned to the heap.
  mutating func take(
    _ limit: Int, for freeBots: FreeBots?, _ visit: (QueueLimits.Ticket) -> Bool
  ) -> [String] {
    // The order is common to all takers, so their heaps are merged by their first tickets.
    var firsts = BinaryHeap(
      takers(freeBots).compactMap { taker in
        ready[taker]?.least.map { First(ticket: $0, taker: taker) }
      })
    var names: [String] = []
    while names.count < limit, let first = firsts.popLeast() {
      guard let ticket = pop(first.taker) else { continue }
      if let next = ready[first.taker]?.least {
        firsts.push(First(ticket: next, taker: first.taker))
      }
      if unfinished.contains(ticket.name) {
        // The queue got a new ticket after the scan took the former one. The scan has the queue
        // already.
        looked.append(ticket)
        continue
      }
      guard visit(ticket) else { continue }
      looked.append(ticket)
      unfinished.insert(ticket.name)
      names.append(ticket.name)
    }
    return names
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
