public import AgentQueries

/// Which events a subscription or a search asks for: a filter of the query language.
public struct EventQuery: Sendable {
  /// The text as it was written.
  public let text: String
  /// What it asks.
  public let filter: EventFilter

  /// Reads a filter; the error says at which character it stops being one.
  public init(parsing text: String) throws(QueryError) {
    self.text = text
    filter = try EventFilter(parsing: text)
  }

  /// A filter that is there already.
  /// - Parameter text: tells it apart from others, as its own text would.
  public init(_ filter: EventFilter, text: String) {
    self.text = text
    self.filter = filter
  }

  /// Whether an event is one of those asked for.
  public func matches(_ event: Event) -> Bool { filter.matches(event.object) }
}
