internal import Synchronization

extension EventBus {
  /// Who asks for events, by what they ask.
  public struct Audience: Sendable, Hashable {
    /// The filter.
    public let text: String
    /// How many ask it.
    public let subscriptions: Int
    /// How many events wait for the one for whom most wait.
    public let mostWaiting: Int
    /// How many read the log because they are slower than the events come.
    public let behind: Int
  }

  /// The queries that run, oldest first, and those of the past that read the log longest.
  public var queryCosts: (running: [QueryCost], slowest: [QueryCost]) {
    ledger.withLock { ($0.running, $0.slowest) }
  }

  /// Who asks for events now; those for whom most wait come first.
  public var audiences: [Audience] {
    let groups = state.withLock { $0.audiences.groups }
    return groups.compactMap { members in
      guard let first = members.first else { return nil }
      return Audience(
        text: String(first.query.text.prefix(QueryCost.longestText)),
        subscriptions: members.count, mostWaiting: members.map(\.waiting).max() ?? 0,
        behind: members.count(where: \.isBehind))
    }.sorted { ($0.mostWaiting, $1.text) > ($1.mostWaiting, $0.text) }
  }
}
