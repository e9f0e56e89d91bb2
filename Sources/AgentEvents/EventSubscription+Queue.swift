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
      delivery.isFull = overflow == .block && queue.events.count > capacity
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
      queue.held = []
      return mustAnnounce(&queue)
    }
  }

  /// How far the log was read.
  var reached: UInt64 { queue.withLock { $0.reached } }
  var isClosed: Bool { queue.withLock { $0.isClosed } }

  /// What is stored will be read from the log; what isn't would be lost.
  private func hold(_ events: ArraySlice<Event>, in queue: inout Queue) {
    for event in events where !event.isStored {
      if queue.held.count >= capacity {
        queue.held.removeFirst()
        queue.drop(1)
      }
      queue.held.append(event)
    }
  }

  /// Queues a run as far as there is room, or makes room, by the policy.
  private func append(_ run: EventRun, to queue: inout Queue) {
    guard !queue.isBehind else { return hold(run.events[...], in: &queue) }
    let events = Self.unseen(of: run, after: queue.reached)
    let excess = min(events.count, max(0, queue.events.count + events.count - capacity))
    let fitting = events.dropLast(excess)
    switch overflow {
    case _ where excess == 0, .block: queue.events.append(events)
    case .dropOldest:
      queue.events.append(events)
      queue.events.removeFirst(excess)
      queue.drop(excess)
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
