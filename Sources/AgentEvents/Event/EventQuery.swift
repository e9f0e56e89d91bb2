public import AgentQueries

/// A filter of the query language, for a subscription or a search.
public struct EventQuery: Sendable {
  public let text: String
  public let filter: EventFilter

  /// Parses a filter. The error has the place of the mistake.
  public init(parsing text: String) throws(QueryError) {
    self.text = text
    filter = try EventFilter(parsing: text)
  }

  /// Uses a parsed filter.
  /// - Parameter text: identifies the filter in place of its own text.
  public init(_ filter: EventFilter, text: String) {
    self.text = text
    self.filter = filter
  }

  /// Returns whether the filter matches an event.
  public func matches(_ event: Event) -> Bool { filter.matches(event.object) }
}
