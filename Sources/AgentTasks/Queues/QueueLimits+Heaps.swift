/// Keeps the queues in heaps. A queue's valid ticket is in exactly one place: a heap of ready
/// queues, ``WaitingQueues/behind``, or the current scan for bots.
extension QueueLimits {
  /// The number of tickets in all heaps, including outdated ones.
  var tickets: Int { ready.count + bots.tickets + behind }

  /// Gives a queue a new ticket, by its head and its limits.
  mutating func file(_ name: String, _ entry: Entry) {
    var entry = entry
    entry.ticket = nextTicket()
    let former = entries.updateValue(entry, forKey: name)
    bots.count += (entry.isOurs ? 0 : 1) - (former?.isOurs == false ? 1 : 0)
    let ticket = Ticket(head: entry.head, name: name, number: entry.ticket)
    let shared = entry.shared
    waiting[shared, default: WaitingQueues()].count += 1
    if waiting[shared]?.isParked == false, waiting[shared]?.front.map({ ticket < $0 }) ?? true {
      push(ticket, of: shared)
    } else {
      putBehind(ticket, of: shared)
    }
    // After the new one: otherwise, a parked queue that is the only one with its limits would be
    // visited again.
    if let former { leave(former) }
    // More than half of the tickets are outdated. The cost of rebuilding is proportional to the
    // changes that caused this. The 64 prevents few queues from being rebuilt at each change.
    if tickets > 2 * entries.count + 64 { rebuild() }
  }

  /// Removes an empty queue.
  mutating func remove(_ name: String) {
    guard let entry = entries.removeValue(forKey: name) else { return }
    if !entry.isOurs { bots.count -= 1 }
    leave(entry)
  }

  /// Handles an entry whose ticket is outdated.
  private mutating func leave(_ entry: Entry) {
    let shared = entry.shared
    waiting[shared]?.count -= 1
    if waiting[shared]?.count == 0 {
      behind -= waiting[shared]?.behind.count ?? 0
      waiting[shared] = nil
      groups[shared.group]?.parked.remove(shared)
    } else if waiting[shared]?.front?.number == entry.ticket {
      waiting[shared]?.front = nil
      expose(shared)
    }
  }

  /// Puts the first of the queues into a heap of ready queues, unless they are parked or one is
  /// there.
  mutating func expose(_ shared: SharedLimit) {
    guard waiting[shared]?.isParked == false, waiting[shared]?.front == nil else { return }
    while let ticket = waiting[shared]?.behind.popLeast() {
      (visits, behind) = (visits + 1, behind - 1)
      if entries[ticket.name]?.ticket == ticket.number { return push(ticket, of: shared) }
    }
  }

  /// Exposes the next queue if this ticket, which has left its heap, was the first.
  mutating func exposeNext(after ticket: Ticket, of shared: SharedLimit) {
    guard waiting[shared]?.front?.number == ticket.number else { return }
    waiting[shared]?.front = nil
    expose(shared)
  }

  /// Returns a ticket that has left its heap to the others.
  mutating func putBehind(_ ticket: Ticket, of shared: SharedLimit) {
    (visits, behind) = (visits + 1, behind + 1)
    waiting[shared]?.behind.push(ticket)
    if waiting[shared]?.front?.number == ticket.number { waiting[shared]?.front = nil }
  }

  /// Returns tickets that have left their heaps, so that the least of each limit is exposed.
  mutating func putBack(_ tickets: [(ticket: Ticket, shared: SharedLimit)]) {
    for (ticket, shared) in tickets { putBehind(ticket, of: shared) }
    for shared in Set(tickets.map(\.shared)) {
      // A queue that was exposed in the meantime stays in its heap; it isn't the least any more.
      waiting[shared]?.front = nil
      expose(shared)
    }
  }

  private mutating func push(_ ticket: Ticket, of shared: SharedLimit) {
    visits += 1
    waiting[shared]?.front = ticket
    if let taker = shared.taker { bots.push(ticket, for: taker) } else { ready.push(ticket) }
  }

  /// Removes outdated tickets. Tickets that a scan has removed stay with the scan.
  private mutating func rebuild() {
    ready = .init()
    bots.removeTickets()
    let scanned = Set(bots.looked.map(\.number))
    var lists: [SharedLimit: [Ticket]] = [:]
    for (name, entry) in entries where !scanned.contains(entry.ticket) {
      let ticket = Ticket(head: entry.head, name: name, number: entry.ticket)
      lists[entry.shared, default: []].append(ticket)
    }
    behind = lists.values.reduce(0) { $0 + $1.count }
    for shared in Array(waiting.keys) {
      waiting[shared]?.behind = BinaryHeap(lists[shared] ?? [])
      waiting[shared]?.front = nil
      expose(shared)
    }
  }
}

extension QueueLimits.Entry {
  /// The limits that it shares with other queues.
  var shared: SharedLimit { SharedLimit(queueKey, isOurs: isOurs) }
}
