internal import AgentQueries
internal import Synchronization

extension EventBus {
  /// The numbers of subscriptions with the same filter.
  public struct Audience: Sendable, Hashable {
    /// The filter's text, cut to ``QueryCost/longestText`` characters.
    public let text: String
    public let subscriptions: Int
    /// The number of events in the fullest queue.
    public let maxWaiting: Int
    /// The number of subscriptions that read the log because they are slower than new events.
    public let behind: Int
  }

  /// The costs of running queries, oldest first, and of the ended ones that read the log longest.
  public var queryCosts: (running: [QueryCost], slowest: [QueryCost]) {
    budget.withLock { ($0.running, $0.slowest) }
  }

  /// The subscriptions by filter. Those with the fullest queue come first.
  public var audiences: [Audience] {
    let groups = state.withLock { $0.audiences.groups }
    // Each subscription has its own lock, so this is outside of the bus's lock.
    return groups.compactMap { members in
      guard let first = members.first else { return nil }
      return Audience(
        text: String(first.query.text.prefix(QueryCost.longestText)),
        subscriptions: members.count, maxWaiting: members.map(\.waiting).max() ?? 0,
        behind: members.count(where: \.isBehind))
    }.sorted { ($0.maxWaiting, $1.text) > ($1.maxWaiting, $0.text) }
  }
}
