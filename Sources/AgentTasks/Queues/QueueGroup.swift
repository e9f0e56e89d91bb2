internal import AgentSystem
internal import DequeModule

/// What lanes with one key share, or those of one type that have none: how much of it goes on, and
/// when the latest began.
struct QueueGroup {
  /// How many are being done.
  var running: Int64 = 0
  /// How many the turn that is on its way may begin.
  private(set) var reserved: Int64 = 0
  /// How many go to bots by writes that are on their way.
  private(set) var given: Int64 = 0
  /// Lanes that have something, and no room for it.
  var parked: Set<String> = []
  /// When somebody is to look at those because a rate has room again; nil for not yet.
  var wake: Int64?
  /// The same of lanes that are for bots.
  var wakeOfBots: Int64?
  /// When the latest of what has a rate began, the oldest first.
  private var begun: Deque<Int64> = []
  /// The longest period, and the greatest count, of the rates that its lanes have.
  private var period: Int64 = 0
  private var most: Int64 = 0

  /// Nobody has, gets or waits for anything of it.
  var isEmpty: Bool { running == 0 && reserved == 0 && given == 0 && parked.isEmpty }

  /// Nothing goes on that somebody would have to remember.
  func isIdle(at now: Int64) -> Bool {
    guard isEmpty else { return false }
    return begun.last.map { $0 <= now.subtracting(period) } ?? true
  }

  /// When it can be forgotten, if nothing of it begins until then.
  var idleFrom: Int64? { begun.last.map { $0.adding(period) } }

  /// How many of a lane may begin.
  func room(_ lane: QueueKey, at now: Int64) -> Int {
    var room = Int64(Int32.max)
    let coming = reserved.adding(given)
    if let limit = lane.limit {
      room = min(room, limit.subtracting(running).subtracting(coming))
    }
    if let rate = lane.rate {
      room = min(room, rate.count.subtracting(recent(rate, now)).subtracting(coming))
    }
    return Int(clamping: max(0, room))
  }

  /// How many began within the period of a rate.
  private func recent(_ rate: TaskRate, _ now: Int64) -> Int64 {
    let start = now.subtracting(rate.period)
    // They are in order: halves are left out until the first that counts is found.
    var (low, high) = (begun.startIndex, begun.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if begun[middle] > start { high = middle } else { low = middle + 1 }
    }
    return Int64(begun.endIndex - low)
  }

  /// When a rate lets the next one begin; nil where it does now.
  func nextTime(_ rate: TaskRate, at now: Int64) -> Int64? {
    let place = Int64(begun.count).subtracting(rate.count)
    guard place >= 0, let index = Int(exactly: place), begun.indices.contains(index) else {
      return nil
    }
    let moment = begun[index].adding(rate.period)
    return moment > now ? moment : nil
  }

  /// So many of a lane begin.
  mutating func begin(_ count: Int, _ rate: TaskRate?, at now: Int64) {
    running = running.adding(Int64(clamping: count))
    guard let rate else { return }
    (period, most) = (max(period, rate.period), max(most, rate.count))
    // Writes end in their order, and have begun in nearly the same.
    let place = begun.lastIndex { $0 <= now }.map { $0 + 1 } ?? 0
    begun.insert(contentsOf: repeatElement(now, count: max(0, count)), at: place)
    while let first = begun.first, first <= now.subtracting(period) || Int64(begun.count) > most {
      begun.removeFirst()
    }
  }

  /// One that has begun has ended.
  mutating func end() { running = max(0, running.subtracting(1)) }

  /// The turn that is on its way may begin so many more.
  mutating func reserve(_ count: Int) { reserved = reserved.adding(Int64(clamping: count)) }

  /// That turn is over.
  /// - Parameter isDoubtful: nobody knows whether it was stored: what it may have begun counts until
  ///   ``restart()``.
  mutating func release(isDoubtful: Bool) {
    if isDoubtful { running = running.adding(reserved) }
    reserved = 0
  }

  /// One goes to a bot, as soon as that is stored.
  mutating func give() { given = given.adding(1) }

  /// What was to be stored for a bot is, or never will be.
  mutating func settle() { given = max(0, given.subtracting(1)) }

  /// Begins anew with what is stored; when what has a rate began is kept. What is still on its way to
  /// the disk isn't part of it.
  mutating func restart() {
    (running, reserved, parked, wake, wakeOfBots) = (0, 0, [], nil, nil)
  }

  /// The wall clock was set: what has begun began as long ago as it did before.
  mutating func move(by milliseconds: Int64) {
    for place in begun.indices { begun[place] = begun[place].adding(milliseconds) }
    wake = wake.map { $0.adding(milliseconds) }
    wakeOfBots = wakeOfBots.map { $0.adding(milliseconds) }
  }
}
