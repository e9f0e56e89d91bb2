public import AgentKit

/// Queries with a span have no engine in a unit test: the test says what they give.
extension TestHost {
  /// A query that a contribution has asked for.
  public struct Query: Sendable, Hashable {
    /// Its text.
    public let text: String
    /// Its span.
    public let span: String
    /// Where it goes on: `now`, or a mark; nil where it wasn't asked to.
    public var after: String?
  }

  /// The queries that were asked for, oldest first, those that have ended too.
  public var queries: [Query] { state.read { $0.asked } }

  /// Waits until at least `count` queries run, and returns all that were requested.
  @discardableResult
  public func queried(atLeast count: Int = 1) async -> [Query] {
    await state.wait { $0.queries.count >= count }
    return queries
  }

  /// Lets the queries that run say something, or only those of this text.
  public func say(_ message: QueryMessage, to text: String? = nil) {
    for query in running(text) { query.stream.yield(EventBatch(events: [message.event])) }
  }

  /// Gives rows of the clock's time, with the mark of what comes behind them.
  public func give(_ rows: JSONObject..., mark: String, to text: String? = nil) {
    say(.rows(.init(timestamp: clock.now, rows: dated(rows), mark: mark)), to: text)
  }

  /// Gives rows of the clock's time to the queries that run, or only to those of this text.
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

  /// Ends the queries that run, or only those of this text, as the end of a span does.
  public func endQueries(_ text: String? = nil) {
    say(.stop(reason: "EndOfSpan"), to: text)
    say(.destroy, to: text)
    for query in running(text) { query.stream.finish() }
  }

  /// Ends the queries that run, or only those of this text, as the host does when it refuses one.
  public func failQueries(with error: ModuleError, _ text: String? = nil) {
    for query in running(text) { query.stream.finish(throwing: error) }
  }

  private func running(_ text: String?) -> [TestHostState.Query] {
    state.read { contents in
      contents.queries.values.filter { text == nil || $0.text == text }
    }
  }
}
