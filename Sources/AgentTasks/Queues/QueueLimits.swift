internal import AgentStore
internal import AgentSystem

/// The queues with queued tasks, and the number of tasks of each that may begin now.
///
/// It stores no tasks. For each queue, it has only a lower bound of the ranks. The write that takes
/// tasks selects them. The cost of a change doesn't depend on the number of queues. Queues with the
/// same limits are decided about together: while they have capacity, the first of them is in a heap,
/// ordered by the heads, and while they have none, they are parked with their group.
struct QueueLimits {
  /// A queue that has tasks.
  struct Entry {
    let queueKey: QueueKey
    /// A lower bound of the ranks of its tasks.
    var head: Int64
    /// Whether the host runs its tasks. Otherwise, bots do.
    var isOurs: Bool
    /// The number of its ticket. Tickets with another number are outdated.
    var ticket: UInt64 = 0
    /// The number of the latest task that was queued in it, counted over all queues. An earlier
    /// read doesn't contain that task, so it can't prove that the queue is empty.
    var lastQueued: UInt64
  }

  /// The entry of a queue in a heap.
  struct Ticket: Comparable {
    let head: Int64
    let name: String
    let number: UInt64

    static func < (one: Ticket, other: Ticket) -> Bool {
      (one.head, one.name, one.number) < (other.head, other.name, other.number)
    }
  }

  /// A time at which parked queues may have capacity again, or a group can be removed.
  struct Wake<Subject>: Comparable {
    let moment: Int64
    let subject: Subject

    static func < (one: Wake, other: Wake) -> Bool { one.moment < other.moment }
    static func == (one: Wake, other: Wake) -> Bool { one.moment == other.moment }
  }

  /// The number of tasks of a queue that may begin.
  struct Request: Equatable {
    let queueKey: String
    let limit: Int
  }

  /// The largest number of queues that one write batch takes from.
  static let maxQueues = 64

  var entries: [String: Entry] = [:]
  var groups: [QueueKey.Group: QueueGroup] = [:]
  /// The queues of each limit.
  var waiting: [SharedLimit: WaitingQueues] = [:]
  /// The queues of the host that may have capacity: the first of each limit.
  var ready = BinaryHeap<Ticket>()
  /// The number of tickets in ``WaitingQueues/behind`` of all limits.
  var behind = 0
  /// The timers of queues whose rate limit has capacity again, and of groups that can be removed.
  var wakes = BinaryHeap<Wake<SharedLimit>>()
  var ends = BinaryHeap<Wake<QueueKey.Group>>()
  var bots = BotQueues()
  /// The number of tickets that were put into heaps or taken out of them: the cost of all decisions.
  var visits = 0
  private var lastTicket: UInt64 = 0
  private var lastQueued: UInt64 = 0
  private var reserved: [QueueKey.Group] = []

  // MARK: Queued tasks

  /// Records a queued task.
  mutating func queued(_ name: String, rank: Int64, isOurs: (QueueKey) -> Bool) {
    // Counted over all queues. A queue that was removed and created again must not look like the
    // one that was read.
    lastQueued += 1
    if var entry = entries[name] {
      entries[name]?.lastQueued = lastQueued
      guard rank < entry.head else { return }
      (entry.head, entry.lastQueued) = (rank, lastQueued)
      file(name, entry)
    } else {
      let queueKey = QueueKey(name: name)
      file(
        name,
        Entry(queueKey: queueKey, head: rank, isOurs: isOurs(queueKey), lastQueued: lastQueued))
    }
  }

  /// Returns the number of a new ticket.
  mutating func nextTicket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }

  /// Rebuilds the queues from the stored state. The times of the rate limits are kept, because the
  /// database doesn't have them.
  mutating func restart(
    _ queues: [QueueHead], held: [String], isOurs: (QueueKey) -> Bool
  ) {
    entries = [:]
    waiting = [:]
    (ready, behind) = (.init(), 0)
    wakes = .init()
    reserved = []
    bots = BotQueues()
    for group in groups.keys { groups[group]?.restart() }
    for queueKey in held { countHeld(queueKey) }
    for queueKey in queues { queued(queueKey.name, rank: queueKey.head, isOurs: isOurs) }
  }

  /// Determines again which queues belong to the host.
  mutating func route(_ isOurs: (QueueKey) -> Bool) {
    for (name, entry) in entries {
      let isOurs = isOurs(entry.queueKey)
      guard isOurs != entry.isOurs else { continue }
      var moved = entry
      moved.isOurs = isOurs
      // The queue moves to the other heap.
      file(name, moved)
    }
  }

  /// Whether a task is queued for the host.
  var hasWork: Bool { entries.count > bots.count }

  // MARK: Capacity

  /// Returns the queues to take from, those that have waited longest first.
  /// - Parameter free: the number of tasks that may begin in all queues together.
  mutating func requests(free: Int, now: Int64) -> [Request] {
    guard free > 0 else { return [] }
    wake(now)
    var requests: [Request] = []
    var looked: [(ticket: Ticket, shared: SharedLimit)] = []
    // Queues with the same key share a capacity, which must not be used twice. The requests of this
    // batch are counted here, because the group doesn't count them before they are reserved.
    var taken: [QueueKey.Group: Int] = [:]
    // Each queue has at least one task, so more queues than free slots aren't needed.
    while requests.count < min(free, Self.maxQueues), let ticket = ready.popLeast() {
      visits += 1
      guard let entry = entries[ticket.name], entry.ticket == ticket.number else { continue }
      let shared = entry.shared
      let capacity = capacity(shared, now: now)
      let rest = min(free, capacity - taken[shared.group, default: 0])
      if capacity <= 0 {
        putBehind(ticket, of: shared)
        park(shared, now: now)
        continue
      }
      looked.append((ticket, shared))
      // Without a rest, the queues behind it get nothing in this batch either.
      guard rest > 0 else { continue }
      taken[shared.group, default: 0] += rest
      requests.append(Request(queueKey: ticket.name, limit: rest))
      exposeNext(after: ticket, of: shared)
    }
    // The queues stay in the heaps until `took` reports the remaining tasks, because the batch may
    // fail.
    putBack(looked)
    return requests
  }

  /// Returns the number of tasks that may begin under common limits.
  func capacity(_ shared: SharedLimit, now: Int64) -> Int {
    (groups[shared.group] ?? QueueGroup()).capacity(shared.limit, shared.rate, at: now)
  }

  /// Reserves capacity for a write batch until ``release(isDoubtful:)``, so that no bot takes it in
  /// the meantime.
  mutating func reserve(_ requests: [Request]) {
    for request in requests {
      guard let queueKey = entries[request.queueKey]?.queueKey, queueKey.isLimited else { continue }
      groups[queueKey.group, default: QueueGroup()].reserve(request.limit)
      reserved.append(queueKey.group)
    }
  }

  /// Ends the reservations of a write batch.
  /// - Parameter isDoubtful: whether the result of the batch is unknown. Then all its tasks count
  ///   as running until ``restart(_:held:isOurs:)``.
  mutating func release(isDoubtful: Bool = false) {
    let former = reserved
    reserved = []
    for group in former {
      groups[group]?.release(isDoubtful: isDoubtful)
      unpark(group)
    }
  }

  /// Reserves capacity for a task that a write assigns to a bot.
  /// - Returns: false if its group has no capacity. Then nothing has changed.
  mutating func give(_ name: String, now: Int64) -> Bool {
    let queueKey = entries[name]?.queueKey ?? QueueKey(name: name)
    guard queueKey.isLimited else { return true }
    guard capacity(SharedLimit(queueKey, isOurs: false), now: now) > 0 else { return false }
    groups[queueKey.group, default: QueueGroup()].give()
    return true
  }

  /// Keeps the capacity of ``give(_:now:)``, because the write is durable or its result is unknown.
  /// - Parameter moment: the time of the reservation.
  mutating func keep(_ name: String, since moment: Int64) {
    let queueKey = entries[name]?.queueKey ?? QueueKey(name: name)
    guard queueKey.isLimited else { return }
    groups[queueKey.group]?.settle()
    groups[queueKey.group, default: QueueGroup()].begin(1, queueKey.rate, at: moment)
    parkAgain(queueKey.group, moment)
  }

  /// Releases the capacity of ``give(_:now:)``, because the write has failed.
  mutating func returnToken(_ name: String, now: Int64) {
    let queueKey = entries[name]?.queueKey ?? QueueKey(name: name)
    guard queueKey.isLimited else { return }
    // Other queues of the group may have been parked because of this reservation.
    groups[queueKey.group]?.settle()
    unpark(queueKey.group)
    forget(queueKey.group, now)
  }

  /// Counts a task whose lease was stored before the host started.
  mutating func countHeld(_ name: String) {
    let queueKey = QueueKey(name: name)
    if queueKey.isLimited { groups[queueKey.group, default: QueueGroup()].running += 1 }
  }

  /// Counts tasks of a queue that the host has begun.
  /// - Parameter next: the rank of the queue's first remaining task; `nil` if none remains.
  mutating func took(_ count: Int, of name: String, next: Int64?, now: Int64) {
    let queueKey = entries[name]?.queueKey ?? QueueKey(name: name)
    if count > 0, queueKey.isLimited {
      groups[queueKey.group, default: QueueGroup()].begin(count, queueKey.rate, at: now)
    }
    if let next, var entry = entries[name] {
      entry.head = next
      file(name, entry)
    } else {
      remove(name)
    }
  }

  /// Releases the capacity of a task that has ended or was requeued.
  mutating func ended(_ name: String, now: Int64) {
    let queueKey = entries[name]?.queueKey ?? QueueKey(name: name)
    guard queueKey.isLimited else { return }
    groups[queueKey.group]?.end()
    unpark(queueKey.group)
    forget(queueKey.group, now)
  }
}
