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
    if isFirst { beginScan() }
    var firsts = bots.firsts(for: freeBots)
    var names: [String] = []
    while names.count < limit, let first = firsts.popLeast() {
      guard let ticket = bots.pop(first.taker) else { continue }
      visits += 1
      if takes(ticket, now: now) { names.append(ticket.name) }
      // After the visit, which may have exposed another queue of the taker.
      if let next = bots.first(first.taker) { firsts.push(next) }
    }
    return requests(names, limit: limit, now: now)
  }

  /// Returns the tickets of the former scan to the heaps.
  private mutating func beginScan() {
    putBack(
      bots.begin().compactMap { ticket in
        guard let entry = entries[ticket.name], entry.ticket == ticket.number else { return nil }
        return (ticket, entry.shared)
      })
  }

  /// Decides about a ticket that a scan has removed from its heap.
  /// - Returns: whether the scan reads the queue.
  private mutating func takes(_ ticket: Ticket, now: Int64) -> Bool {
    guard let entry = entries[ticket.name], entry.ticket == ticket.number else { return false }
    let shared = entry.shared
    guard capacity(shared, now: now) > 0 else {
      putBehind(ticket, of: shared)
      park(shared, now: now)
      return false
    }
    let isNew = bots.look(ticket)
    // Bots may refuse the tasks of this queue, so the scan sees the others too.
    exposeNext(after: ticket, of: shared)
    return isNew
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
      let rest = min(limit, capacity(entry.shared, now: now) - taken[group, default: 0])
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
