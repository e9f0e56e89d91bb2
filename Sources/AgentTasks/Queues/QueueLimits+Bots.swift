internal import AgentAssignment
internal import AgentSystem

/// Selects the queues for bots, those that have waited longest first.
extension QueueLimits {
  /// Returns the next queues to read for bots, with the number of tasks to read of each.
  /// - Parameters:
  ///   - isFirst: whether a scan begins. Otherwise, the former scan continues.
  ///   - freeBots: the bots with a free slot; `nil` for all.
  /// - Returns: an empty array if no queue is left.
  mutating func forBots(
    limit: Int, isFirst: Bool, freeBots: FreeBots?, now: Int64
  ) -> [BotQueues.Request] {
    guard limit > 0 else { return [] }
    wakeBots(now)
    if isFirst { bots.begin(entries) }
    var parked: [(String, Entry)] = []
    // Copies, because the closure runs while `bots`, a part of this value, is being changed. For
    // the same reason, queues are parked after it.
    let (entries, groups) = (entries, groups)
    let names = bots.take(limit, for: freeBots) { ticket in
      guard let entry = entries[ticket.name], entry.ticket == ticket.number else { return false }
      let group = groups[entry.queueKey.group] ?? QueueGroup()
      guard group.capacity(entry.queueKey, at: now) > 0 else {
        parked.append((ticket.name, entry))
        return false
      }
      return true
    }
    for (name, entry) in parked { parkForBots(name, entry: entry, now: now) }
    return requests(names, limit: limit, now: now)
  }

  /// Returns the queues that the scan has begun to read and that may have further tasks.
  func unfinishedForBots(limit: Int, now: Int64) -> [BotQueues.Request] {
    let names = bots.unfinished.compactMap { name in entries[name].map { (name, $0.head) } }
    return requests(
      names.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0), limit: limit, now: now)
  }

  private func requests(
    _ names: [String], limit: Int, now: Int64
  ) -> [BotQueues.Request] {
    // Queues with the same key share a capacity, which must not be used twice.
    var taken: [QueueKey.Group: Int] = [:]
    return names.compactMap { name in
      // The queue may have been removed between two pages of the scan.
      guard let entry = entries[name] else { return nil }
      let group = entry.queueKey.group
      let capacity = (groups[group] ?? QueueGroup()).capacity(entry.queueKey, at: now)
      let rest = min(limit, capacity - taken[group, default: 0])
      guard rest > 0 else { return nil }
      if entry.queueKey.isLimited { taken[group, default: 0] += rest }
      return BotQueues.Request(queueKey: name, limit: rest, lastQueued: entry.lastQueued)
    }
  }

  /// Records the result of reading a queue.
  /// - Parameters:
  ///   - head: the rank of its first task; `.some(nil)` if it is empty; `nil` if that wasn't read.
  ///   - isFinished: whether the scan has seen all its tasks that may begin.
  mutating func finishScan(_ request: BotQueues.Request, head: Int64??, isFinished: Bool) {
    if isFinished { bots.finish(request.queueKey) }
    // A task that was queued after the read isn't in the result, so the queue must not be removed.
    guard let head, entries[request.queueKey]?.lastQueued == request.lastQueued else { return }
    if let head {
      entries[request.queueKey]?.head = head
    } else {
      bots.finish(request.queueKey)
      remove(request.queueKey)
    }
  }

  /// Parks a queue of bots until a task of its group ends, or its rate limit has capacity.
  mutating func parkForBots(_ name: String, entry: Entry, now: Int64) {
    let group = entry.queueKey.group
    entries[name]?.ticket = 0
    groups[group, default: QueueGroup()].parked.insert(name)
    guard let rate = entry.queueKey.rate, let moment = groups[group]?.nextTime(rate, at: now),
      moment < groups[group]?.wakeOfBots ?? .max
    else { return }
    groups[group]?.wakeOfBots = moment
    bots.wakes.push(Wake(moment: moment, group: group))
  }

  /// Unparks the queues of bots whose rate limit has capacity again.
  private mutating func wakeBots(_ now: Int64) {
    while let wake = bots.wakes.least, wake.moment <= now {
      _ = bots.wakes.popLeast()
      if groups[wake.group]?.wakeOfBots == wake.moment { groups[wake.group]?.wakeOfBots = nil }
      unpark(wake.group)
    }
  }

  /// Returns the time at which a rate limit has capacity for tasks of bots again, or `nil` if none
  /// is exhausted.
  func wakeOfBots(now: Int64) -> Int64? {
    let looked = bots.looked.compactMap { ticket -> Int64? in
      guard let queueKey = entries[ticket.name]?.queueKey, let rate = queueKey.rate else {
        return nil
      }
      return groups[queueKey.group]?.nextTime(rate, at: now)
    }
    return (looked + [bots.wakes.least?.moment].compactMap(\.self)).min()
  }
}
