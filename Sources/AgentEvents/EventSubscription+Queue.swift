internal import DequeModule
internal import Synchronization

extension EventSubscription {
  /// Queues what has just been delivered by the bus. Whether the consumer has to be told is decided
  /// here, the telling follows in `announce`, outside of the bus's lock.
  func offer(_ events: some Sequence<Event>) -> Delivery {
    queue.withLock { queue in
      var delivery = Delivery()
      guard !queue.isClosed else { return delivery }
      let wasBehind = queue.isBehind
      for event in events {
        if queue.isBehind {
          hold(event, in: &queue)
        } else if !event.isStored || event.position > queue.reached {
          append(event, to: &queue)
        }
      }
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
      queue.events.append(contentsOf: events)
      queue.reached = max(queue.reached, reached)
      return mustAnnounce(&queue)
    }
    if announces { announce() }
  }

  /// Queues what a bus without a log remembers; returns whether the consumer has to be told.
  func recall(_ events: [Event]) -> Bool {
    queue.withLock { queue in
      queue.reached = 0
      for event in events { append(event, to: &queue) }
      return mustAnnounce(&queue)
    }
  }

  /// The log was read as far as the bus has come: from now on the bus delivers. Returns whether the
  /// consumer has to be told.
  func catchUp() -> Bool {
    queue.withLock { queue in
      queue.isBehind = false
      queue.events.append(contentsOf: queue.held)
      queue.held = []
      return mustAnnounce(&queue)
    }
  }

  /// How far the log was read.
  var reached: UInt64 { queue.withLock { $0.reached } }
  var isClosed: Bool { queue.withLock { $0.isClosed } }

  /// What is stored will be read from the log; what isn't would be lost.
  private func hold(_ event: Event, in queue: inout Queue) {
    guard !event.isStored else { return }
    if queue.held.count >= capacity {
      queue.held.removeFirst()
      queue.dropped += 1
    }
    queue.held.append(event)
  }

  private func append(_ event: Event, to queue: inout Queue) {
    if queue.events.count >= capacity {
      switch overflow {
      case .dropOldest:
        queue.events.removeFirst()
        queue.dropped += 1
      case .dropNewest:
        queue.dropped += 1
        return
      case .block: break
      case .readLog:
        queue.isBehind = true
        return hold(event, in: &queue)
      }
    }
    queue.events.append(event)
    queue.reached = max(queue.reached, event.position)
  }

  private func mustAnnounce(_ queue: inout Queue) -> Bool {
    guard !queue.events.isEmpty, !queue.isAnnounced else { return false }
    queue.isAnnounced = true
    return true
  }
}
