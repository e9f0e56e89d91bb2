internal import Synchronization

/// The metrics of a bus since its creation, and of its queues.
public struct EventStatistics: Sendable, Hashable {
  /// The number of accepted events.
  public var published: UInt64 = 0
  /// The number of events that consumers have taken. An event counts once for each consumer.
  public var delivered: UInt64 = 0
  /// The number of events that consumers lost because their queue was full.
  public var dropped: UInt64 = 0
  /// The number of standing queries.
  public var subscriptions = 0
  /// The number of standing queries that read the log because they haven't caught up.
  public var behind = 0
  /// The number of events in all queues.
  public var waiting = 0
  /// The number of events in the longest queue.
  public var longestQueue = 0
  /// What the queues hold, and their limits together, in bytes. The queues of streams count in
  /// ``StreamBudget/held``.
  public var waitingBytes = 0
  public var maxWaitingBytes = 0
  /// The distance of each reading durable consumer from the newest event, in positions of the log.
  public var consumerLags: [String: UInt64] = [:]
}

/// The metrics of one subscription, or the sums of several.
struct SubscriptionStatistics {
  var taken: UInt64 = 0
  var dropped: UInt64 = 0
  var waiting = 0
  var bytes = 0
  var maxBytes = 0
  var isBehind = false

  mutating func add(_ other: SubscriptionStatistics) {
    taken += other.taken
    dropped += other.dropped
  }
}

extension EventBus {
  /// The present metrics. The cost grows with the number of subscriptions, so it is for scrapes and
  /// not for each event.
  public var statistics: EventStatistics {
    var statistics = EventStatistics()
    var (ended, members) = state.withLock { state in
      statistics.published = state.published
      for consumer in state.consumers.values {
        let lag = state.position - min(state.position, consumer.acknowledged)
        statistics.consumerLags[consumer.name] = lag
      }
      return (state.ended, state.audiences.members)
    }
    statistics.subscriptions = members.count
    // Each subscription has its own lock, so this is outside of the bus's lock.
    for member in members {
      let one = member.statistics
      ended.add(one)
      statistics.waiting += one.waiting
      statistics.waitingBytes += one.bytes
      statistics.maxWaitingBytes += one.maxBytes
      statistics.longestQueue = max(statistics.longestQueue, one.waiting)
      if one.isBehind { statistics.behind += 1 }
    }
    statistics.delivered = ended.taken
    statistics.dropped = ended.dropped
    return statistics
  }
}
