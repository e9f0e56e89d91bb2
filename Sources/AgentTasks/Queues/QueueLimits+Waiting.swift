internal import AgentSystem

/// Parks queues that have no capacity until there is capacity again, and forgets groups that are
/// idle.
extension QueueLimits {
  /// Parks a queue until a task of its group ends, or its rate has capacity.
  mutating func park(_ name: String, entry: Entry, now: Int64) {
    let group = entry.queueKey.group
    // A ticket can't be taken out of the middle of a heap; without its number it is out of date.
    entries[name]?.ticket = 0
    groups[group, default: QueueGroup()].parked.insert(name)
    guard let rate = entry.queueKey.rate, let moment = groups[group]?.nextTime(rate, at: now) else {
      return
    }
    guard moment < groups[group]?.wake ?? .max else { return }
    groups[group]?.wake = moment
    wakes.push(Wake(moment: moment, group: group))
  }

  /// Parks the queues of a group again. They were parked while a write wasn't durable, and only its
  /// beginning says when the rate has capacity.
  mutating func parkAgain(_ group: QueueKey.Group, _ now: Int64) {
    for name in groups[group]?.parked ?? [] {
      guard let entry = entries[name] else { continue }
      if entry.isOurs {
        park(name, entry: entry, now: now)
      } else {
        parkForBots(name, entry: entry, now: now)
      }
    }
  }

  /// Files the parked queues of a group again.
  mutating func unpark(_ group: QueueKey.Group) {
    guard let names = groups[group]?.parked, !names.isEmpty else { return }
    groups[group]?.parked = []
    for name in names {
      if let entry = entries[name] { file(name, entry) }
    }
  }

  /// Does what is due: unparks queues, and forgets groups.
  mutating func wake(_ now: Int64) {
    while let wake = wakes.least, wake.moment <= now {
      _ = wakes.popLeast()
      if groups[wake.group]?.wake == wake.moment { groups[wake.group]?.wake = nil }
      unpark(wake.group)
    }
    while let end = ends.least, end.moment <= now {
      _ = ends.popLeast()
      forget(end.group, now)
    }
  }

  /// Forgets a group if it is idle. Groups come and go with their keys.
  mutating func forget(_ group: QueueKey.Group, _ now: Int64) {
    guard let state = groups[group], state.isEmpty else { return }
    if state.isIdle(at: now) {
      groups[group] = nil
    } else if let end = state.idleFrom {
      // Its rate still counts what has begun: without it, more could begin.
      ends.push(Wake(moment: end, group: group))
    }
  }

  /// When the next queue of the host that its rate holds back may go on; nil for none.
  func nextTime(now: Int64) -> Int64? {
    // A wake-up that is due is handled with the next write batch, which unparks its queues.
    wakes.least.flatMap { $0.moment > now ? $0.moment : nil }
  }

  /// Follows a wall clock that was set: the time since each beginning stays the same.
  mutating func move(by milliseconds: Int64) {
    for group in groups.keys { groups[group]?.move(by: milliseconds) }
    // A heap can't change the moments inside of it; the groups have them all.
    wakes = BinaryHeap(
      groups.compactMap { group, state in state.wake.map { Wake(moment: $0, group: group) } })
    bots.wakes = BinaryHeap(
      groups.compactMap { group, state in
        state.wakeOfBots.map { Wake(moment: $0, group: group) }
      })
    ends = BinaryHeap(
      groups.compactMap { group, state in state.idleFrom.map { Wake(moment: $0, group: group) } })
  }

  /// A sentence for people: why no task of a queue begins although a slot is free; nil if one may.
  func obstacle(_ name: String, now: Int64) -> String? {
    let queueKey = QueueKey(name: name)
    let state = groups[queueKey.group] ?? QueueGroup()
    if let limit = queueKey.limit, state.running >= limit {
      let key = queueKey.key.map { " with the key \"\($0)\"" } ?? " of its type"
      return "\(state.running) of \(limit) tasks\(key) are running."
    }
    if let rate = queueKey.rate, state.capacity(queueKey, at: now) == 0 {
      return
        "\(rate.count) such tasks have started within \(rate.period) ms, which is the rate limit."
    }
    return nil
  }
}
