internal import AgentSystem

/// Lanes that have something and no room for it, until there is room again; and groups that nobody
/// needs any more.
extension QueueLimits {
  /// A lane waits until something of its group has ended, or its rate lets something begin.
  mutating func park(_ name: String, _ entry: Entry, _ now: Int64) {
    let group = entry.lane.group
    entries[name]?.ticket = 0
    groups[group, default: QueueGroup()].parked.insert(name)
    guard let rate = entry.lane.rate, let moment = groups[group]?.nextTime(rate, at: now) else {
      return
    }
    guard moment < groups[group]?.wake ?? .max else { return }
    groups[group]?.wake = moment
    wakes.push(Wake(moment: moment, group: group))
  }

  /// What has just begun decides when the rate lets those go on that were parked while it was on its
  /// way.
  mutating func parkAgain(_ group: QueueKey.Group, _ now: Int64) {
    for name in groups[group]?.parked ?? [] {
      guard let entry = entries[name] else { continue }
      if entry.isOurs { park(name, entry, now) } else { parkForBots(name, entry, now) }
    }
  }

  /// The lanes of a group are looked at again.
  mutating func unpark(_ group: QueueKey.Group) {
    guard let names = groups[group]?.parked, !names.isEmpty else { return }
    groups[group]?.parked = []
    for name in names {
      if let entry = entries[name] { file(name, entry) }
    }
  }

  /// Looks at what was to be looked at by now.
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

  /// Groups come and go with their keys.
  mutating func forget(_ group: QueueKey.Group, _ now: Int64) {
    guard let state = groups[group], state.isEmpty else { return }
    if state.isIdle(at: now) {
      groups[group] = nil
    } else if let end = state.idleFrom {
      ends.push(Wake(moment: end, group: group))
    }
  }

  /// When a lane that has more than its rate lets begin may go on.
  func nextTime(now: Int64) -> Int64? {
    // What is due already is looked at with the next turn.
    wakes.least.flatMap { $0.moment > now ? $0.moment : nil }
  }

  /// The wall clock was set: rates count what began as long ago as it did before.
  mutating func move(by milliseconds: Int64) {
    for group in groups.keys { groups[group]?.move(by: milliseconds) }
    wakes = BinaryHeap(
      groups.compactMap { group, state in state.wake.map { Wake(moment: $0, group: group) } })
    bots.wakes = BinaryHeap(
      groups.compactMap { group, state in
        state.wakeOfBots.map { Wake(moment: $0, group: group) }
      })
    ends = BinaryHeap(
      groups.compactMap { group, state in state.idleFrom.map { Wake(moment: $0, group: group) } })
  }

  /// Why nothing of a lane begins now though a place is free, for people.
  func obstacle(_ name: String, now: Int64) -> String? {
    let lane = QueueKey(name: name)
    let state = groups[lane.group] ?? QueueGroup()
    if let limit = lane.limit, state.running >= limit {
      let key = lane.key.map { " with the key \"\($0)\"" } ?? " of its type"
      return "\(state.running) of \(limit) tasks\(key) are running."
    }
    if let rate = lane.rate, state.room(lane, at: now) == 0 {
      return
        "\(rate.count) such tasks have started within \(rate.period) ms, which is the rate limit."
    }
    return nil
  }
}
