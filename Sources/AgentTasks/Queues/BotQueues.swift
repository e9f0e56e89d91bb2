internal import AgentAssignment

/// The lanes that have something for bots, by who may take it, and how far a scan of them has come.
///
/// What a scan costs depends on what bots with room may take, not on all that waits.
struct BotQueues {
  /// A lane that a scan looks at.
  struct Request {
    let lane: String
    let limit: Int
    /// The number of the latest task that was queued in it when it was looked at.
    let lastQueued: UInt64
  }

  /// The least that some bots may take.
  private struct First: Comparable {
    let ticket: QueueLimits.Ticket
    let taker: QueueKey.Taker

    static func < (one: First, other: First) -> Bool { one.ticket < other.ticket }
    static func == (one: First, other: First) -> Bool { one.ticket == other.ticket }
  }

  /// How many lanes are for bots.
  var count = 0
  /// How many entries all heaps have.
  private(set) var tickets = 0
  private var ready: [QueueKey.Taker: BinaryHeap<QueueLimits.Ticket>] = [:]
  /// Groups whose rate lets something begin again.
  var wakes = BinaryHeap<QueueLimits.Wake>()
  /// What the scan that goes on has taken out, and what of it may have more.
  private(set) var looked: [QueueLimits.Ticket] = []
  private(set) var unfinished: Set<String> = []

  mutating func push(_ ticket: QueueLimits.Ticket, for taker: QueueKey.Taker) {
    ready[taker, default: .init()].push(ticket)
    tickets += 1
  }

  private mutating func pop(_ taker: QueueKey.Taker) -> QueueLimits.Ticket? {
    guard let ticket = ready[taker]?.popLeast() else { return nil }
    if ready[taker]?.count == 0 { ready[taker] = nil }
    tickets -= 1
    return ticket
  }

  /// Leaves out what is out of date. What a scan has taken out stays with it.
  mutating func rebuild(_ entries: [String: QueueLimits.Entry]) {
    let out = Set(looked.map(\.number))
    var lists: [QueueKey.Taker: [QueueLimits.Ticket]] = [:]
    for (name, entry) in entries
    where !entry.isOurs && entry.ticket != 0 && !out.contains(entry.ticket) {
      let ticket = QueueLimits.Ticket(head: entry.head, name: name, number: entry.ticket)
      lists[entry.lane.taker, default: []].append(ticket)
    }
    tickets = lists.values.reduce(0) { $0 + $1.count }
    ready = lists.mapValues { BinaryHeap($0) }
  }

  /// Puts back what the last scan has taken out.
  mutating func begin(_ entries: [String: QueueLimits.Entry]) {
    for ticket in looked {
      guard let entry = entries[ticket.name], entry.ticket == ticket.number else { continue }
      push(ticket, for: entry.lane.taker)
    }
    (looked, unfinished) = ([], [])
  }

  /// Nothing of a lane is left for the scan that goes on.
  mutating func finish(_ name: String) { unfinished.remove(name) }

  /// Takes out lanes, those with the least heads first, so many that `visit` wants.
  /// - Parameters:
  ///   - room: who has room; nil for all.
  ///   - visit: says whether a lane is to be looked at; otherwise it isn't put back.
  mutating func take(
    _ limit: Int, for room: BotRoom?, _ visit: (QueueLimits.Ticket) -> Bool
  ) -> [String] {
    var firsts = BinaryHeap(
      takers(room).compactMap { taker in
        ready[taker]?.least.map { First(ticket: $0, taker: taker) }
      })
    var names: [String] = []
    while names.count < limit, let first = firsts.popLeast() {
      guard let ticket = pop(first.taker) else { continue }
      if let next = ready[first.taker]?.least {
        firsts.push(First(ticket: next, taker: first.taker))
      }
      if unfinished.contains(ticket.name) {
        // Filed anew since the scan has come by: it has it already.
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

  /// Those who may take something that is there: found from the shorter side.
  private func takers(_ room: BotRoom?) -> [QueueKey.Taker] {
    guard let room else { return Array(ready.keys) }
    guard room.types.count + room.bots.count < ready.count else {
      return ready.keys.filter { taker in
        switch taker {
        case .type(let type): room.types[type] != nil
        case .bot(let id): room.bots.contains(id)
        }
      }
    }
    return room.types.keys.map { .type($0) } + room.bots.map { .bot($0) }
  }
}
