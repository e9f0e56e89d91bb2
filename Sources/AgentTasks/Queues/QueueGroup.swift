internal import AgentSystem
internal import DequeModule

/// The usage that queues with one key share, or queues of one type without a key: the running
/// tasks, and when the latest began.
struct QueueGroup {
  var running: Int64 = 0
  /// How many tasks the current write batch may begin.
  private(set) var reserved: Int64 = 0
  /// How many tasks go to bots by writes that aren't durable yet.
  private(set) var given: Int64 = 0
  /// Queues with queued tasks and no capacity for them.
  var parked: Set<String> = []
  /// When the rate has capacity for parked queues of the host; nil if no wake-up is planned.
  var wake: Int64?
  /// The same for queues of bots.
  var wakeOfBots: Int64?
  /// When the latest tasks with a rate began, the oldest first.
  private var begun: Deque<Int64> = []
  /// The longest period, and the greatest count, of the rates that its queues have.
  private var period: Int64 = 0
  private var most: Int64 = 0

  /// Whether no task of it runs, begins or is parked.
  var isEmpty: Bool { running == 0 && reserved == 0 && given == 0 && parked.isEmpty }

  /// Whether the group can be forgotten: it is empty, and no rate counts what has begun.
  func isIdle(at now: Int64) -> Bool {
    guard isEmpty else { return false }
    return begun.last.map { $0 <= now.subtracting(period) } ?? true
  }

  /// When the group can be forgotten if nothing begins until then; nil for now.
  var idleFrom: Int64? { begun.last.map { $0.adding(period) } }

  /// How many tasks of a queue may begin.
  func capacity(_ queueKey: QueueKey, at now: Int64) -> Int {
    var capacity = Int64(Int32.max)
    // A write that isn't durable yet counts as begun, or two writes could take the same capacity.
    let coming = reserved.adding(given)
    if let limit = queueKey.limit {
      capacity = min(capacity, limit.subtracting(running).subtracting(coming))
    }
    if let rate = queueKey.rate {
      capacity = min(capacity, rate.count.subtracting(recent(rate, now)).subtracting(coming))
    }
    return Int(clamping: max(0, capacity))
  }

  /// How many tasks began within the period of a rate.
  private func recent(_ rate: TaskRate, _ now: Int64) -> Int64 {
    let start = now.subtracting(rate.period)
    // A binary search: there may be a million, and this is asked for each queue of a scan.
    var (low, high) = (begun.startIndex, begun.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if begun[middle] > start { high = middle } else { low = middle + 1 }
    }
    return Int64(begun.endIndex - low)
  }

  /// When a rate has capacity for the next task; nil if it has capacity now.
  func nextTime(_ rate: TaskRate, at now: Int64) -> Int64? {
    let place = Int64(begun.count).subtracting(rate.count)
    guard place >= 0, let index = Int(exactly: place), begun.indices.contains(index) else {
      return nil
    }
    let moment = begun[index].adding(rate.period)
    return moment > now ? moment : nil
  }

  /// Counts tasks that begin.
  mutating func begin(_ count: Int, _ rate: TaskRate?, at now: Int64) {
    running = running.adding(Int64(clamping: count))
    guard let rate else { return }
    (period, most) = (max(period, rate.period), max(most, rate.count))
    // Writes end in their order and begin in nearly the same, so that the place is near the end.
    let place = begun.lastIndex { $0 <= now }.map { $0 + 1 } ?? 0
    begun.insert(contentsOf: repeatElement(now, count: max(0, count)), at: place)
    // A rate looks at its latest `count` moments within its period; older ones hold nothing back.
    while let first = begun.first, first <= now.subtracting(period) || Int64(begun.count) > most {
      begun.removeFirst()
    }
  }

  /// Counts a task that has ended.
  mutating func end() { running = max(0, running.subtracting(1)) }

  /// Reserves capacity for the write batch that is being stored.
  mutating func reserve(_ count: Int) { reserved = reserved.adding(Int64(clamping: count)) }

  /// Ends the reservations of that write batch.
  /// - Parameter isDoubtful: it isn't known whether the batch was stored; what it may have begun
  ///   counts as running until ``restart()``.
  mutating func release(isDoubtful: Bool) {
    if isDoubtful { running = running.adding(reserved) }
    reserved = 0
  }

  /// Counts a task that goes to a bot once the write is durable.
  mutating func give() { given = given.adding(1) }

  /// Ends a ``give()``: the write is durable, or has failed.
  mutating func settle() { given = max(0, given.subtracting(1)) }

  /// Starts from what is stored. The moments for rates stay, since the database doesn't have them.
  /// ``given`` stays too: these writes settle it when they end.
  mutating func restart() {
    running = 0
    reserved = 0
    parked = []
    wake = nil
    wakeOfBots = nil
  }

  /// Follows a wall clock that was set: the time since each beginning stays the same.
  mutating func move(by milliseconds: Int64) {
    for place in begun.indices { begun[place] = begun[place].adding(milliseconds) }
    wake = wake.map { $0.adding(milliseconds) }
    wakeOfBots = wakeOfBots.map { $0.adding(milliseconds) }
  }
}
