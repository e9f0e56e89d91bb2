internal import AgentSystem

/// Parks queues that have no capacity until capacity is available, and removes idle groups.
extension QueueLimits {
  /// Parks a queue until a task of its group ends, or its rate limit has capacity.
  mutating func park(_ name: String, entry: Entry, now: Int64) {
    let group = entry.queueKey.group
    // A heap can't remove an element from its middle. A ticket without its number is outdated.
    entries[name]?.ticket = 0
    groups[group, default: QueueGroup()].parked.insert(name)
    guard let rate = entry.queueKey.rate, let moment = groups[group]?.nextTime(rate, at: now) else {
      return
    }
    guard moment < groups[group]?.wake ?? .max else { return }
    groups[group]?.wake = moment
    wakes.push(Wake(moment: moment, group: group))
  }

  /// Parks the queues of a group again. They were parked while a write wasn't durable. The time at
  /// which the rate limit has capacity depends on the begin of that write.
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

  /// Returns the parked queues of a group to the heap.
  mutating func unpark(_ group: QueueKey.Group) {
    guard let names = groups[group]?.parked, !names.isEmpty else { return }
    groups[group]?.parked = []
    for name in names {
      if let entry = entries[name] { file(name, entry) }
    }
  }

  /// Handles due timers: unparks queues and removes groups.
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

  /// Removes a group if it is idle. Groups come and go with their keys.
  mutating func forget(_ group: QueueKey.Group, _ now: Int64) {
    guard let state = groups[group], state.isEmpty else { return }
    if state.isIdle(at: now) {
      groups[group] = nil
    } else if let end = state.idleFrom {
      // Its rate limit still counts its tasks. Without the group, too many could begin.
      ends.push(Wake(moment: end, group: group))
    }
  }

  /// Returns the time at which a rate limit of the host's queues has capacity again, or `nil` for
  /// none.
  func nextTime(now: Int64) -> Int64? {
    // A due timer is handled with the next write batch, which unparks its queues.
    wakes.least.flatMap { $0.moment > now ? $0.moment : nil }
  }

  /// Moves all times after the wall clock was set, so that the time since each beginning stays the
  /// same.
  mutating func move(by milliseconds: Int64) {
    for group in groups.keys { groups[group]?.move(by: milliseconds) }
    // A heap can't change its elements, so the heaps are rebuilt from the times of the groups.
    wakes = BinaryHeap(
      groups.compactMap { group, state in state.wake.map { Wake(moment: $0, group: group) } })
    bots.wakes = BinaryHeap(
      groups.compactMap { group, state in
        state.wakeOfBots.map { Wake(moment: $0, group: group) }
      })
    ends = BinaryHeap(
      groups.compactMap { group, state in state.idleFrom.map { Wake(moment: $0, group: group) } })
  }

  /// Returns the limit that prevents the tasks of a queue from beginning, as a sentence for people.
  /// `nil` if none does.
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
