/// A query in the Pipes language, read and checked: its tree, and the text to show places in.
///
/// The language, and where it differs from its model, is in docs/queries.md.
public struct Query: Sendable, Hashable {
  /// The text as it was written.
  public let text: QueryText
  /// What it says.
  public let tree: QueryTree

  /// Reads a query; the error says where it stops being one and why.
  public init(parsing string: String, limits: QueryLimits = QueryLimits()) throws(QueryError) {
    let text = QueryText(string)
    var reader = try QueryReader(text, limits: limits)
    tree = try reader.query()
    self.text = text
  }

  /// An error about a piece of this query, for whoever finds one after reading.
  public func error(
    _ code: QueryError.Code, _ message: String, at range: QueryRange
  ) -> QueryError {
    QueryError(code, message, at: range, in: text)
  }
}
