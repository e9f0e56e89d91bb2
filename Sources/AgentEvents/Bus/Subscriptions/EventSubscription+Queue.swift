internal import DequeModule
internal import Synchronization

extension EventSubscription {
  /// Queues events that the bus delivers, under the bus's lock. It decides whether the consumer
  /// must be notified. The caller notifies it by `announce` outside of that lock.
  func offer(_ run: EventRun) -> Delivery {
    change { queue in
      var delivery = Delivery()
      guard !queue.isClosed else { return delivery }
      let wasBehind = queue.isBehind
      append(run, to: &queue)
      delivery.announces = mustAnnounce(&queue)
      delivery.fallsBehind = queue.isBehind && !wasBehind
      delivery.isFull =
        overflow == .block && !queue.hasGivenUp
        && (queue.events.count > capacity || queue.events.bytes > byteCapacity(queue))
      return delivery
    }
  }

  /// Queues events from the log, which was read up to `reached`.
  func fill(_ events: [Event], reached: UInt64) {
    let announces = change { queue in
      guard !queue.isClosed else { return false }
      queue.events.append(events[...])
      // Events of the bus up to this position aren't queued a second time.
      queue.reached = max(queue.reached, reached)
      return mustAnnounce(&queue)
    }
    if announces { announce() }
  }

  /// Queues events that a bus without a log remembers.
  /// - Returns: whether the consumer must be notified.
  func recall(_ events: [Event]) -> Bool {
    change { queue in
      // The subscription began at the bus's position. These events are older and would count as
      // queued already.
      queue.reached = 0
      append(EventRun(events), to: &queue)
      return mustAnnounce(&queue)
    }
  }

  /// Records that the log was read as far as the bus has come. From now on the bus delivers.
  /// - Returns: whether the consumer must be notified.
  func catchUp() -> Bool {
    change { queue in
      queue.isBehind = false
      // Events that aren't stored came in the meantime. They have no position in the log, so they
      // follow its events.
      queue.events.append(Array(queue.held)[...])
      (queue.held, queue.heldBytes) = ([], 0)
      return mustAnnounce(&queue)
    }
  }

  /// The position up to which the log was read.
  var reached: UInt64 { queue.withLock { $0.reached } }
  var isClosed: Bool { queue.withLock { $0.isClosed } }

  /// Holds events that aren't stored while the log is read. Stored ones come from the log.
  private func hold(_ events: ArraySlice<Event>, in queue: inout Queue) {
    let byteCapacity = byteCapacity(queue) - (sharesSpace ? queue.events.bytes : 0)
    for event in events where !event.isStored {
      let bytes = event.encoded.count
      while queue.held.count >= capacity || queue.heldBytes + bytes > byteCapacity,
        let oldest = queue.held.popFirst()
      {
        queue.heldBytes -= oldest.encoded.count
        queue.drop(1)
      }
      guard !sharesSpace || bytes <= byteCapacity else {
        queue.drop(1)
        continue
      }
      queue.held.append(event)
      queue.heldBytes += bytes
    }
  }

  /// Queues a run by the overflow policy: as far as there is space, or after making space.
  private func append(_ run: EventRun, to queue: inout Queue) {
    guard !queue.isBehind else { return hold(run.events[...], in: &queue) }
    let events = Self.unseen(of: run, after: queue.reached)
    // All subscriptions share the sum of the run, so it is rarely computed again.
    let bytes = events.count == run.events.count ? run.bytes : events.textBytes
    let byteCapacity = byteCapacity(queue)
    let accepted = firstFitting(events, bytes: bytes, queue: queue.events, byteCapacity)
    let excess = events.count - accepted.count
    switch overflow {
    case _ where excess == 0: queue.events.append(events, bytes: bytes)
    case .block where !queue.hasGivenUp:
      queue.events.append(events, bytes: bytes)
      // The publisher waits, so they exceed the capacity, but not what a worker may hold.
      if sharesSpace, let account {
        let most = account.queueBytes(holding: queue.counted, usesReserve: true)
        dropOldest(in: &queue, to: most)
      }
    case .dropOldest, .block:
      queue.events.append(events, bytes: bytes)
      dropBeyondCapacity(in: &queue)
    case .dropNewest:
      queue.events.append(accepted)
      queue.drop(excess)
    case .readLog:
      // A part of a run is copied, because it would keep the whole run in memory.
      queue.events.append(Array(accepted)[...])
      queue.isBehind = true
      // Only queued events count as reached, so that the reader of the log brings the rest.
      if let last = accepted.last { queue.reached = max(queue.reached, last.position) }
      return hold(events[accepted.endIndex...], in: &queue)
    }
    if let last = events.last { queue.reached = max(queue.reached, last.position) }
  }

  /// Returns the events from the first on for which there is space.
  private func firstFitting(
    _ events: ArraySlice<Event>, bytes: Int, queue: EventQueue, _ byteCapacity: Int
  ) -> ArraySlice<Event> {
    var accepted = events.prefix(max(0, capacity - queue.count))
    // Usually there is space in bytes, and no text has to be measured.
    guard queue.bytes + bytes > byteCapacity else { return accepted }
    var left = queue.bytes + accepted.textBytes
    while left > byteCapacity, let last = accepted.popLast() { left -= last.encoded.count }
    return accepted
  }

  /// Drops the oldest events beyond both capacities.
  func dropBeyondCapacity(in queue: inout Queue) {
    let excess = max(0, queue.events.count - capacity)
    queue.events.removeFirst(excess)
    queue.drop(excess)
    dropOldest(in: &queue, to: byteCapacity(queue))
  }

  /// Drops the oldest events until the others fit.
  private func dropOldest(in queue: inout Queue, to bytes: Int) {
    let before = queue.events.count
    // One event stays whatever its size. Otherwise it could never be delivered. Where other
    // subscriptions use the space, there will be some when those are read.
    let least = sharesSpace ? 0 : 1
    while queue.events.bytes > bytes, queue.events.count > least { queue.events.removeFirst(1) }
    queue.drop(before - queue.events.count)
  }

  /// Whether the subscriptions of a worker share the space.
  private var sharesSpace: Bool { account?.budget.use == .subscriptions }

  /// Returns the events of a run without those that a reader of the log has queued already.
  private static func unseen(of run: EventRun, after reached: UInt64) -> ArraySlice<Event> {
    // Positions only grow. If the first stored event is new, all are.
    guard let first = run.firstStored, first <= reached else { return run.events[...] }
    return run.events.filter { !$0.isStored || $0.position > reached }[...]
  }

  private func mustAnnounce(_ queue: inout Queue) -> Bool {
    // The consumer is notified once until it finds the queue empty. A notification for each event
    // would cost more than the event.
    guard !queue.events.isEmpty, !queue.isAnnounced else { return false }
    queue.isAnnounced = true
    return true
  }
}
