/// A parsed query of the Pipes language: its tree, and its text for places in messages.
///
/// docs/queries.md describes the language and its differences from its model.
public struct Query: Sendable, Hashable {
  public let text: QueryText
  public let tree: QueryTree

  /// Parses a query. The error has the place of the mistake and its reason.
  public init(parsing string: String, limits: QueryLimits = QueryLimits()) throws(QueryError) {
    let text = QueryText(string)
    var reader = try QueryReader(text, limits: limits)
    tree = try reader.query()
    self.text = text
  }

  /// Returns an error about a range of this query. Later stages use it for their own mistakes.
  public func error(
    _ code: QueryError.Code, _ message: String, at range: QueryRange
  ) -> QueryError {
    QueryError(code, message, at: range, in: text)
  }
}
