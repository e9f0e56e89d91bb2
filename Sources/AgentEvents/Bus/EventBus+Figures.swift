internal import Synchronization

extension EventBus {
  /// Subscriptions with the same filter, counted.
  public struct Audience: Sendable, Hashable {
    /// The filter's text, cut to ``QueryCost/longestText`` characters.
    public let text: String
    public let subscriptions: Int
    /// How many events wait in the fullest queue.
    public let maxWaiting: Int
    /// How many subscriptions read the log because they are slower than the events come.
    public let behind: Int
  }

  /// The queries that run, oldest first, and those that have ended and read the log longest.
  public var queryCosts: (running: [QueryCost], slowest: [QueryCost]) {
    ledger.withLock { ($0.running, $0.slowest) }
  }

  /// The subscriptions by filter; those with the fullest queue come first.
  public var audiences: [Audience] {
    let groups = state.withLock { $0.audiences.groups }
    // Outside of the bus's lock, because each subscription has a lock of its own.
    return groups.compactMap { members in
      guard let first = members.first else { return nil }
      return Audience(
        text: String(first.query.text.prefix(QueryCost.longestText)),
        subscriptions: members.count, maxWaiting: members.map(\.waiting).max() ?? 0,
        behind: members.count(where: \.isBehind))
    }.sorted { ($0.maxWaiting, $1.text) > ($1.maxWaiting, $0.text) }
  }
}
