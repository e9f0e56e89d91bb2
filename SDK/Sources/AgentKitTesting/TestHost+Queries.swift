public import AgentKit

/// A unit test has no engine for queries with a span: the test provides their rows.
extension TestHost {
  /// A query that a contribution has requested.
  public struct Query: Sendable, Hashable {
    /// The query's text.
    public let text: String
    /// The query's span.
    public let span: String
    /// Where it continues: `now`, or a mark; nil when it wasn't requested.
    public var after: String?
  }

  /// All queries that were requested, oldest first, including those that have ended.
  public var queries: [Query] { state.read { $0.asked } }

  /// Waits until at least `count` queries run, and returns all that were requested.
  @discardableResult
  public func queried(atLeast count: Int = 1) async -> [Query] {
    await state.wait { $0.queries.count >= count }
    return queries
  }

  /// Sends a message from all running queries, or from those with this text.
  public func say(_ message: QueryMessage, to text: String? = nil) {
    for query in running(text) { query.stream.yield(EventBatch(events: [message.event])) }
  }

  /// Sends rows with the clock's time and a mark, from all running queries or from those with this
  /// text.
  public func give(_ rows: JSONObject..., mark: String, to text: String? = nil) {
    say(.rows(.init(timestamp: clock.now, rows: dated(rows), mark: mark)), to: text)
  }

  /// Sends rows with the clock's time, from all running queries or from those with this text.
  public func give(_ rows: JSONObject..., to text: String? = nil) {
    say(.rows(.init(timestamp: clock.now, rows: dated(rows))), to: text)
  }

  private func dated(_ rows: [JSONObject]) -> [QueryRow] {
    let now = clock.now
    return rows.map { values in
      var values = values
      if values["timestamp"] == nil { values["timestamp"] = JSONValue(Int(now)) }
      return QueryRow(timestamp: values["timestamp"]?.int.map(Int64.init) ?? now, values: values)
    }
  }

  /// Ends all running queries, or those with this text, as the end of a span does.
  public func endQueries(_ text: String? = nil) {
    say(.stop(reason: "EndOfSpan"), to: text)
    say(.destroy, to: text)
    for query in running(text) { query.stream.finish() }
  }

  /// Ends all running queries, or those with this text, with the error of a host that refuses them.
  public func failQueries(with error: ModuleError, _ text: String? = nil) {
    for query in running(text) { query.stream.finish(throwing: error) }
  }

  private func running(_ text: String?) -> [TestHostState.Query] {
    state.read { contents in
      contents.queries.values.filter { text == nil || $0.text == text }
    }
  }
}
