internal import Synchronization

/// The numbers of a bus since it was made, and of what waits in it.
public struct EventFigures: Sendable, Hashable {
  /// Events that were taken in.
  public var published: UInt64 = 0
  /// Events that consumers have taken. An event counts once for each consumer.
  public var delivered: UInt64 = 0
  /// Events that a consumer lost because its queue was full.
  public var dropped: UInt64 = 0
  /// Standing queries.
  public var subscriptions = 0
  /// Standing queries that read the log because they haven't caught up.
  public var behind = 0
  /// Events that wait in all queues.
  public var waiting = 0
  /// Events that wait in the longest queue.
  public var longestQueue = 0
  /// How far each durable consumer that reads now is behind the newest event, in positions of the
  /// log.
  public var consumerLags: [String: UInt64] = [:]
}

/// The numbers of one subscription, or the sums of several.
struct SubscriptionFigures {
  var taken: UInt64 = 0
  var dropped: UInt64 = 0
  var waiting = 0
  var isBehind = false

  mutating func add(_ other: SubscriptionFigures) {
    taken += other.taken
    dropped += other.dropped
  }
}

extension EventBus {
  /// The numbers now. The cost grows with the number of subscriptions: for metrics, not for each
  /// event.
  public var figures: EventFigures {
    var (figures, ended, members) = state.withLock { state in
      var figures = EventFigures()
      figures.published = state.published
      for consumer in state.consumers.values {
        let lag = state.position - min(state.position, consumer.acknowledged)
        figures.consumerLags[consumer.name] = lag
      }
      return (figures, state.ended, state.audiences.members)
    }
    figures.subscriptions = members.count
    // Outside of the bus's lock, because each subscription has a lock of its own.
    for member in members {
      let one = member.figures
      ended.add(one)
      figures.waiting += one.waiting
      figures.longestQueue = max(figures.longestQueue, one.waiting)
      if one.isBehind { figures.behind += 1 }
    }
    figures.delivered = ended.taken
    figures.dropped = ended.dropped
    return figures
  }
}
