public import AgentQueries

/// A filter of the query language, for a subscription or a search.
public struct EventQuery: Sendable {
  /// As it was written.
  public let text: String
  public let filter: EventFilter

  /// Parses a filter. The error says at which character the text stops being one.
  public init(parsing text: String) throws(QueryError) {
    self.text = text
    filter = try EventFilter(parsing: text)
  }

  /// Uses a filter that is parsed already.
  /// - Parameter text: tells it apart from other filters, as its own text would.
  public init(_ filter: EventFilter, text: String) {
    self.text = text
    self.filter = filter
  }

  /// Whether the filter lets an event through.
  public func matches(_ event: Event) -> Bool { filter.matches(event.object) }
}
