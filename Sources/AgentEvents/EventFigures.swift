internal import Synchronization

/// What a bus has done since it was made, and what waits in it.
public struct EventFigures: Sendable, Hashable {
  /// Events that were taken in.
  public var published: UInt64 = 0
  /// Events that consumers have taken; one that several have taken counts for each.
  public var delivered: UInt64 = 0
  /// Events that a consumer lost because its queue was full.
  public var dropped: UInt64 = 0
  /// Standing queries.
  public var subscriptions = 0
  /// Those of them that read the log because they aren't where the bus is.
  public var behind = 0
  /// Events that wait in all queues.
  public var waiting = 0
  /// Events that wait in the longest queue.
  public var longestQueue = 0
  /// How far durable consumers that are there are behind the newest event, in positions of the log.
  public var consumerLags: [String: UInt64] = [:]
}

/// What went through one subscription, or several.
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
  /// What it has done, and what waits. Looks at each subscription: for who asks now and then.
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
