internal import AgentStore
internal import AgentSystem

/// Which lanes have something for the host to do, and how much of it may begin now.
///
/// It knows what is queued only as far as it has to: that a lane has more, and how far its first
/// task may be at least. What is taken is decided where it is stored. What a change costs doesn't
/// depend on how many lanes there are: those that can go on are in a heap, by their heads, and those
/// that can't are with what they wait for.
struct QueueLimits {
  /// What is known of a lane that has something.
  struct Entry {
    let lane: QueueKey
    /// No task of the lane has a lesser rank.
    var head: Int64
    /// The host does what is in it.
    var isOurs: Bool
    /// What stands in the heap for it; what has another number is out of date.
    var ticket: UInt64 = 0
    /// The number of the latest task that was queued in it, of all lanes: what was read before that
    /// says nothing of the lane.
    var lastQueued: UInt64
  }

  /// A lane's place in the heap.
  struct Ticket: Comparable {
    let head: Int64
    let name: String
    let number: UInt64

    static func < (one: Ticket, other: Ticket) -> Bool {
      (one.head, one.name, one.number) < (other.head, other.name, other.number)
    }
  }

  /// A moment at which somebody has to look at a group.
  struct Wake: Comparable {
    let moment: Int64
    let group: QueueKey.Group

    static func < (one: Wake, other: Wake) -> Bool { one.moment < other.moment }
    static func == (one: Wake, other: Wake) -> Bool { one.moment == other.moment }
  }

  /// So many tasks of a lane may begin.
  struct Request: Equatable {
    let lane: String
    let limit: Int
  }

  /// At most so many lanes are looked at in one go.
  static let mostLanes = 64

  var entries: [String: Entry] = [:]
  var groups: [QueueKey.Group: QueueGroup] = [:]
  /// The host's lanes that may have room.
  var ready = BinaryHeap<Ticket>()
  /// Groups whose rate lets something begin again, and those that can be forgotten.
  var wakes = BinaryHeap<Wake>()
  var ends = BinaryHeap<Wake>()
  /// The lanes of bots.
  var bots = BotQueues()
  private var lastTicket: UInt64 = 0
  private var lastQueued: UInt64 = 0
  private var reserved: [QueueKey.Group] = []

  // MARK: What is queued

  /// A task was queued.
  mutating func queued(_ name: String, rank: Int64, isOurs: (QueueKey) -> Bool) {
    // One number for all: a lane that is gone and there again is another than the one that was read.
    lastQueued += 1
    if var entry = entries[name] {
      entries[name]?.lastQueued = lastQueued
      guard rank < entry.head else { return }
      (entry.head, entry.lastQueued) = (rank, lastQueued)
      file(name, entry)
    } else {
      let lane = QueueKey(name: name)
      file(name, Entry(lane: lane, head: rank, isOurs: isOurs(lane), lastQueued: lastQueued))
    }
  }

  /// Puts a lane where it is found again.
  mutating func file(_ name: String, _ entry: Entry) {
    var entry = entry
    entry.ticket = 0
    if groups[entry.lane.group]?.parked.contains(name) != true {
      lastTicket += 1
      entry.ticket = lastTicket
      let ticket = Ticket(head: entry.head, name: name, number: lastTicket)
      if entry.isOurs { ready.push(ticket) } else { bots.push(ticket, for: entry.lane.taker) }
    }
    let former = entries.updateValue(entry, forKey: name)
    bots.count += (entry.isOurs ? 0 : 1) - (former?.isOurs == false ? 1 : 0)
    // Most of what is in the heap is out of date: it is built anew, which is paid by what has made
    // it so.
    if ready.count > 2 * entries.count + 64 { rebuild() }
    if bots.tickets > 2 * entries.count + 64 { bots.rebuild(entries) }
  }

  private mutating func rebuild() {
    ready = BinaryHeap(
      entries.compactMap { name, entry in
        entry.ticket == 0 || !entry.isOurs
          ? nil : Ticket(head: entry.head, name: name, number: entry.ticket)
      })
  }

  /// Nothing of a lane is queued any more.
  mutating func remove(_ name: String) {
    guard let entry = entries.removeValue(forKey: name) else { return }
    if !entry.isOurs { bots.count -= 1 }
    groups[entry.lane.group]?.parked.remove(name)
  }

  /// Begins anew with what is stored; when what has a rate began is kept.
  mutating func restart(
    _ lanes: [QueuedLane], held: [String], isOurs: (QueueKey) -> Bool
  ) {
    (entries, ready, wakes, reserved) = ([:], .init(), .init(), [])
    bots = BotQueues()
    for group in groups.keys { groups[group]?.restart() }
    for lane in held { isHeld(lane) }
    for lane in lanes { queued(lane.name, rank: lane.head, isOurs: isOurs) }
  }

  /// What the host does is another matter now.
  mutating func route(_ isOurs: (QueueKey) -> Bool) {
    for (name, entry) in entries {
      let isOurs = isOurs(entry.lane)
      guard isOurs != entry.isOurs else { continue }
      var moved = entry
      moved.isOurs = isOurs
      // Who looks at it now finds out whether it has room.
      groups[entry.lane.group]?.parked.remove(name)
      file(name, moved)
    }
  }

  /// Something is queued that is for the host.
  var hasWork: Bool { entries.count > bots.count }

  // MARK: What may begin

  /// Which lanes to take from, those that wait longest first, when so many may begin in all.
  mutating func requests(free: Int, now: Int64) -> [Request] {
    guard free > 0 else { return [] }
    wake(now)
    var requests: [Request] = []
    var looked: [Ticket] = []
    // Lanes with one key must not take its room twice.
    var taken: [QueueKey.Group: Int] = [:]
    // Each lane has one task at least: more lanes than free places needn't be asked.
    while requests.count < min(free, Self.mostLanes), let ticket = ready.popLeast() {
      guard let entry = entries[ticket.name], entry.ticket == ticket.number else { continue }
      let group = entry.lane.group
      let room = groups[group]?.room(entry.lane, at: now) ?? QueueGroup().room(entry.lane, at: now)
      let rest = min(free, room - taken[group, default: 0])
      if room <= 0 {
        park(ticket.name, entry, now)
      } else {
        looked.append(ticket)
        if rest > 0 {
          taken[group, default: 0] += rest
          requests.append(Request(lane: ticket.name, limit: rest))
        }
      }
    }
    for ticket in looked { ready.push(ticket) }
    return requests
  }

  /// Keeps what a turn may begin for it, until ``release(isDoubtful:)``: nobody else takes it
  /// meanwhile.
  mutating func reserve(_ requests: [Request]) {
    for request in requests {
      guard let lane = entries[request.lane]?.lane, lane.isLimited else { continue }
      groups[lane.group, default: QueueGroup()].reserve(request.limit)
      reserved.append(lane.group)
    }
  }

  /// The turn is over.
  /// - Parameter isDoubtful: nobody knows whether what it has begun was stored: all that it might
  ///   have begun counts until the board begins anew.
  mutating func release(isDoubtful: Bool = false) {
    let former = reserved
    reserved = []
    for group in former {
      groups[group]?.release(isDoubtful: isDoubtful)
      unpark(group)
    }
  }

  /// A task of a lane goes to a bot by a write that is on its way.
  /// - Returns: whether what it shares a key with leaves room for it.
  mutating func give(_ name: String, now: Int64) -> Bool {
    let lane = entries[name]?.lane ?? QueueKey(name: name)
    guard lane.isLimited else { return true }
    guard (groups[lane.group] ?? QueueGroup()).room(lane, at: now) > 0 else { return false }
    groups[lane.group, default: QueueGroup()].give()
    return true
  }

  /// What was given by ``give(_:now:)`` is stored, or may be.
  /// - Parameter moment: when it was given.
  mutating func keep(_ name: String, since moment: Int64) {
    let lane = entries[name]?.lane ?? QueueKey(name: name)
    guard lane.isLimited else { return }
    groups[lane.group]?.settle()
    groups[lane.group, default: QueueGroup()].begin(1, lane.rate, at: moment)
    parkAgain(lane.group, moment)
  }

  /// What was given by ``give(_:now:)`` was not stored.
  mutating func takeBack(_ name: String, now: Int64) {
    let lane = entries[name]?.lane ?? QueueKey(name: name)
    guard lane.isLimited else { return }
    groups[lane.group]?.settle()
    unpark(lane.group)
    forget(lane.group, now)
  }

  /// Somebody has had a task of a lane since before the host began.
  mutating func isHeld(_ name: String) {
    let lane = QueueKey(name: name)
    if lane.isLimited { groups[lane.group, default: QueueGroup()].running += 1 }
  }

  /// This many tasks of a lane were taken.
  /// - Parameter next: the rank of the first that is left; nil when nothing is.
  mutating func took(_ count: Int, of name: String, next: Int64?, now: Int64) {
    let lane = entries[name]?.lane ?? QueueKey(name: name)
    if count > 0, lane.isLimited {
      groups[lane.group, default: QueueGroup()].begin(count, lane.rate, at: now)
    }
    if let next, var entry = entries[name] {
      entry.head = next
      file(name, entry)
    } else {
      remove(name)
    }
  }

  /// A task of a lane isn't being done any more.
  mutating func ended(_ name: String, now: Int64) {
    let lane = entries[name]?.lane ?? QueueKey(name: name)
    guard lane.isLimited else { return }
    groups[lane.group]?.end()
    unpark(lane.group)
    forget(lane.group, now)
  }
}
