internal import DequeModule
internal import Synchronization

extension EventSubscription {
  /// Queues what has just been delivered by the bus. Whether the consumer has to be told is decided
  /// here, the telling follows in `announce`, outside of the bus's lock.
  func offer(_ run: EventRun) -> Delivery {
    queue.withLock { queue in
      var delivery = Delivery()
      guard !queue.isClosed else { return delivery }
      let wasBehind = queue.isBehind
      append(run, to: &queue)
      delivery.announces = mustAnnounce(&queue)
      delivery.fallsBehind = queue.isBehind && !wasBehind
      delivery.isFull =
        overflow == .block
        && (queue.events.count > capacity || queue.events.bytes > Self.maxBytes)
      return delivery
    }
  }

  /// Queues what was read from the log. All up to `reached` has been looked at then.
  func fill(_ events: [Event], reached: UInt64) {
    let announces = queue.withLock { queue in
      guard !queue.isClosed else { return false }
      queue.events.append(events[...])
      queue.reached = max(queue.reached, reached)
      return mustAnnounce(&queue)
    }
    if announces { announce() }
  }

  /// Queues what a bus without a log remembers; returns whether the consumer has to be told.
  func recall(_ events: [Event]) -> Bool {
    queue.withLock { queue in
      queue.reached = 0
      append(EventRun(events), to: &queue)
      return mustAnnounce(&queue)
    }
  }

  /// The log was read as far as the bus has come: from now on the bus delivers. Returns whether the
  /// consumer has to be told.
  func catchUp() -> Bool {
    queue.withLock { queue in
      queue.isBehind = false
      queue.events.append(Array(queue.held)[...])
      (queue.held, queue.heldBytes) = ([], 0)
      return mustAnnounce(&queue)
    }
  }

  /// How far the log was read.
  var reached: UInt64 { queue.withLock { $0.reached } }
  var isClosed: Bool { queue.withLock { $0.isClosed } }

  /// What is stored will be read from the log; what isn't would be lost.
  private func hold(_ events: ArraySlice<Event>, in queue: inout Queue) {
    for event in events where !event.isStored {
      let bytes = event.encoded.count
      while queue.held.count >= capacity || queue.heldBytes + bytes > Self.maxBytes,
        let oldest = queue.held.popFirst()
      {
        queue.heldBytes -= oldest.encoded.count
        queue.drop(1)
      }
      queue.held.append(event)
      queue.heldBytes += bytes
    }
  }

  /// Queues a run as far as there is room, or makes room, by the policy.
  private func append(_ run: EventRun, to queue: inout Queue) {
    guard !queue.isBehind else { return hold(run.events[...], in: &queue) }
    let events = Self.unseen(of: run, after: queue.reached)
    let bytes = events.count == run.events.count ? run.bytes : events.textBytes
    let fitting = self.fitting(events, bytes, queue.events)
    let excess = events.count - fitting.count
    switch overflow {
    case _ where excess == 0, .block: queue.events.append(events, bytes: bytes)
    case .dropOldest:
      queue.events.append(events, bytes: bytes)
      makeRoom(in: &queue)
    case .dropNewest:
      queue.events.append(fitting)
      queue.drop(excess)
    case .readLog:
      queue.events.append(fitting)
      queue.isBehind = true
      if let last = fitting.last { queue.reached = max(queue.reached, last.position) }
      return hold(events[fitting.endIndex...], in: &queue)
    }
    if let last = events.last { queue.reached = max(queue.reached, last.position) }
  }

  /// As many of some events as there is room for.
  private func fitting(
    _ events: ArraySlice<Event>, _ bytes: Int, _ queue: EventQueue
  ) -> ArraySlice<Event> {
    var fitting = events.prefix(max(0, capacity - queue.count))
    guard queue.bytes + bytes > Self.maxBytes else { return fitting }
    var left = queue.bytes + fitting.textBytes
    while left > Self.maxBytes, let last = fitting.popLast() { left -= last.encoded.count }
    return fitting
  }

  private func makeRoom(in queue: inout Queue) {
    let before = queue.events.count
    queue.events.removeFirst(max(0, before - capacity))
    while queue.events.bytes > Self.maxBytes, queue.events.count > 1 { queue.events.removeFirst(1) }
    queue.drop(before - queue.events.count)
  }

  /// Without those that a reader of the log has brought already.
  private static func unseen(of run: EventRun, after reached: UInt64) -> ArraySlice<Event> {
    // Positions only grow: where the first is new, all are.
    guard let first = run.firstStored, first <= reached else { return run.events[...] }
    return run.events.filter { !$0.isStored || $0.position > reached }[...]
  }

  private func mustAnnounce(_ queue: inout Queue) -> Bool {
    guard !queue.events.isEmpty, !queue.isAnnounced else { return false }
    queue.isAnnounced = true
    return true
  }
}
