internal import AgentSystem

/// Parks queues that have no capacity until capacity is available, and removes idle groups.
extension QueueLimits {
  /// Parks queues until a task of their group ends, or their rate limit has capacity.
  mutating func park(_ shared: SharedLimit, now: Int64) {
    guard waiting[shared]?.isParked == false else { return }
    waiting[shared]?.isParked = true
    waiting[shared]?.front = nil
    let moment = shared.rate.flatMap { groups[shared.group]?.nextTime($0, at: now) }
    groups[shared.group, default: QueueGroup()].park(shared, hasTimer: moment != nil)
    guard let moment, moment < waiting[shared]?.wake ?? .max else { return }
    waiting[shared]?.wake = moment
    let wake = Wake(moment: moment, subject: shared)
    if shared.taker == nil { wakes.push(wake) } else { bots.wakes.push(wake) }
  }

  /// Parks queues again that were parked while a write wasn't durable. The time at which their rate
  /// limit has capacity depends on the begin of that write.
  mutating func parkAgain(_ group: QueueKey.Group, _ now: Int64) {
    for shared in groups[group]?.parked.takeUntilWrite() ?? [] {
      waiting[shared]?.isParked = false
      if capacity(shared, now: now) > 0 { expose(shared) } else { park(shared, now: now) }
    }
  }

  /// Returns the parked queues of a group to the heaps whose limits aren't reached any more. The
  /// others aren't visited, because a group may have any number of them.
  mutating func unpark(_ group: QueueKey.Group) {
    for shared in groups[group]?.takeUnparked() ?? [] {
      waiting[shared]?.isParked = false
      expose(shared)
    }
  }

  /// Returns parked queues to a heap because their timer is due.
  private mutating func unpark(_ wake: Wake<SharedLimit>) {
    let shared = wake.subject
    if waiting[shared]?.wake == wake.moment { waiting[shared]?.wake = nil }
    guard waiting[shared]?.isParked == true else { return }
    groups[shared.group]?.parked.remove(shared)
    waiting[shared]?.isParked = false
    expose(shared)
  }

  /// Handles due timers: unparks queues and removes groups.
  mutating func wake(_ now: Int64) {
    while let wake = wakes.least, wake.moment <= now {
      _ = wakes.popLeast()
      unpark(wake)
    }
    while let end = ends.least, end.moment <= now {
      _ = ends.popLeast()
      forget(end.subject, now)
    }
  }

  /// Unparks the queues of bots whose rate limit has capacity again.
  mutating func wakeBots(_ now: Int64) {
    while let wake = bots.wakes.least, wake.moment <= now {
      _ = bots.wakes.popLeast()
      unpark(wake)
    }
  }

  /// Removes a group if it is idle. Groups come and go with their keys.
  mutating func forget(_ group: QueueKey.Group, _ now: Int64) {
    guard let state = groups[group], state.isEmpty else { return }
    if state.isIdle(at: now) {
      groups[group] = nil
    } else if let end = state.idleFrom {
      // Its rate limit still counts its tasks. Without the group, too many could begin.
      ends.push(Wake(moment: end, subject: group))
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
    // A heap can't change its elements, so the heaps are rebuilt.
    (wakes, bots.wakes) = (.init(), .init())
    for shared in Array(waiting.keys) {
      guard let moment = waiting[shared]?.wake?.adding(milliseconds) else { continue }
      waiting[shared]?.wake = moment
      let wake = Wake(moment: moment, subject: shared)
      if shared.taker == nil { wakes.push(wake) } else { bots.wakes.push(wake) }
    }
    ends = BinaryHeap(
      groups.compactMap { group, state in
        state.idleFrom.map { Wake(moment: $0, subject: group) }
      })
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
    if let rate = queueKey.rate, state.capacity(queueKey.limit, rate, at: now) == 0 {
      return
        "\(rate.count) such tasks have started within \(rate.period) ms, which is the rate limit."
    }
    return nil
  }
}
