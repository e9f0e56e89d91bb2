internal import AgentSystem
internal import DequeModule

/// The usage that queues with the same key share, or the queues of a type without a key: the
/// running tasks and the times at which the latest ones began.
struct QueueGroup {
  var running: Int64 = 0
  /// The number of tasks that the current write batch may begin.
  private(set) var reserved: Int64 = 0
  /// The number of tasks that are assigned to bots by writes that aren't durable yet.
  private(set) var given: Int64 = 0
  /// The queues with queued tasks that have no capacity.
  var parked = ParkedLimits()
  /// The times at which the latest tasks with a rate limit began, the oldest first.
  private var begun: Deque<Int64> = []
  /// The longest period and the greatest count of the rate limits of its queues.
  private var period: Int64 = 0
  private var most: Int64 = 0

  /// Whether no task of the group runs, begins or is parked.
  var isEmpty: Bool { running == 0 && reserved == 0 && given == 0 && parked.isEmpty }

  /// Returns whether the group can be removed: it is empty, and no rate limit counts its tasks.
  func isIdle(at now: Int64) -> Bool {
    guard isEmpty else { return false }
    return begun.last.map { $0 <= now.subtracting(period) } ?? true
  }

  /// The time at which the group can be removed if nothing begins until then; `nil` for now.
  var idleFrom: Int64? { begun.last.map { $0.adding(period) } }

  /// The number of tasks by the writes that aren't durable yet. They count as begun. Otherwise, two
  /// writes could use the same capacity.
  private var coming: Int64 { reserved.adding(given) }

  /// Returns the number of tasks that may begin under these limits.
  func capacity(_ limit: Int64?, _ rate: TaskRate?, at now: Int64) -> Int {
    var capacity = Int64(Int32.max)
    if let limit {
      capacity = min(capacity, limit.subtracting(running).subtracting(coming))
    }
    if let rate {
      capacity = min(capacity, rate.count.subtracting(recent(rate, now)).subtracting(coming))
    }
    return Int(clamping: max(0, capacity))
  }

  /// Returns the number of tasks that began within the period of a rate limit.
  private func recent(_ rate: TaskRate, _ now: Int64) -> Int64 {
    let start = now.subtracting(rate.period)
    // A binary search, because there may be a million times and every queue of a scan needs this.
    var (low, high) = (begun.startIndex, begun.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if begun[middle] > start { high = middle } else { low = middle + 1 }
    }
    return Int64(begun.endIndex - low)
  }

  /// Returns the time at which a rate limit has capacity for the next task, or `nil` if it has
  /// capacity now.
  func nextTime(_ rate: TaskRate, at now: Int64) -> Int64? {
    let place = Int64(begun.count).subtracting(rate.count)
    guard place >= 0, let index = Int(exactly: place), begun.indices.contains(index) else {
      return nil
    }
    let moment = begun[index].adding(rate.period)
    return moment > now ? moment : nil
  }

  /// Parks queues.
  /// - Parameter hasTimer: whether a timer ends their wait if their rate limit has no capacity.
  mutating func park(_ shared: SharedLimit, hasTimer: Bool) {
    let isReached = shared.limit.map { $0 <= running.adding(coming) } ?? false
    parked.insert(shared, isReached: isReached, hasTimer: hasTimer)
  }

  /// Removes and returns the parked queues that may have capacity now.
  mutating func takeUnparked() -> [SharedLimit] { parked.take(below: running.adding(coming)) }

  /// Counts tasks that begin.
  mutating func begin(_ count: Int, _ rate: TaskRate?, at now: Int64) {
    running = running.adding(Int64(clamping: count))
    guard let rate else { return }
    (period, most) = (max(period, rate.period), max(most, rate.count))
    // Writes end in their order and begin in nearly the same order, so the position is near the
    // end.
    let place = begun.lastIndex { $0 <= now }.map { $0 + 1 } ?? 0
    begun.insert(contentsOf: repeatElement(now, count: max(0, count)), at: place)
    // A rate limit uses its latest `count` times within its period. Older ones have no effect.
    while let first = begun.first, first <= now.subtracting(period) || Int64(begun.count) > most {
      begun.removeFirst()
    }
  }

  /// Counts a task that has ended.
  mutating func end() { running = max(0, running.subtracting(1)) }

  /// Reserves capacity for the write batch that is being stored.
  mutating func reserve(_ count: Int) { reserved = reserved.adding(Int64(clamping: count)) }

  /// Ends the reservations of that write batch.
  /// - Parameter isDoubtful: whether the result of the batch is unknown. Then all its tasks count
  ///   as running until ``restart()``.
  mutating func release(isDoubtful: Bool) {
    if isDoubtful { running = running.adding(reserved) }
    reserved = 0
  }

  /// Counts a task that is assigned to a bot by a write that isn't durable yet.
  mutating func give() { given = given.adding(1) }

  /// Ends a ``give()``, because the write is durable or has failed.
  mutating func settle() { given = max(0, given.subtracting(1)) }

  /// Resets the group before the stored state is counted. The times of the rate limits are kept,
  /// because the database doesn't have them. ``given`` is kept too, because the pending writes
  /// settle it when they end.
  mutating func restart() {
    running = 0
    reserved = 0
    parked = ParkedLimits()
  }

  /// Moves all times after the wall clock was set, so that the time since each beginning stays the
  /// same.
  mutating func move(by milliseconds: Int64) {
    for place in begun.indices { begun[place] = begun[place].adding(milliseconds) }
  }
}
