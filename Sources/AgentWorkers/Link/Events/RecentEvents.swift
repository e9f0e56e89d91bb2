package import AgentEvents
internal import AgentJSON
internal import AgentWorkerProtocol

/// Answers `query` of `events/1`, in the same way for a worker and for a module inside the host.
package enum RecentEvents {
  private static let usualLimit = 1000
  private static let maxLimit = 10_000

  /// Answers a request `{"query", "window_ms"?, "limit"?}`. Returns
  /// `{"events": […], "truncated": bool}`.
  /// - Throws: an error that describes the problem of the JSON or of the query, or the error of
  ///   reading the events.
  static func answer(_ request: [UInt8], from bus: EventBus) async throws -> [UInt8] {
    let fields: JSONNode
    do {
      fields = try JSONDocument(parsing: request).root
    } catch {
      throw WorkerError(.invalidArgument, "The input of query can't be read: \(error)")
    }
    let text = try member("query", of: fields, "a text") { $0.string } ?? ""
    let query = try EventQuery(parsing: text)
    let window = try member("window_ms", of: fields, "a whole number") { $0.int }
    let limit = try member("limit", of: fields, "a whole number") { $0.int } ?? usualLimit
    let found = try await bus.events(
      matching: query, window: window.map { Int64($0) },
      // The host limits the number of events, because it holds the whole answer in memory.
      limit: max(0, min(limit, maxLimit)))
    return json(found.events, truncated: found.truncated)
  }

  /// Returns the value of a member, or `nil` if the member is missing or null.
  ///
  /// Rationale: a value of the wrong type is an error. If it counted as missing, the query would
  /// select other events than the module wants.
  private static func member<Value>(
    _ name: String, of fields: JSONNode, _ expected: String, read: (JSONNode) -> Value?
  ) throws(WorkerError) -> Value? {
    guard let node = fields[name], node.kind != .null else { return nil }
    guard let value = read(node) else {
      throw WorkerError(
        .invalidArgument, "\"\(name)\" of query is \(expected), and this one isn't.")
    }
    return value
  }

  /// Returns the answer as JSON. The text of the events is joined and not encoded again.
  package static func json(_ events: [Event], truncated: Bool) -> [UInt8] {
    let batch = EventBatch(joining: events.map(\.encoded))
    return Array("{\"events\":".utf8) + batch.events + Array(",\"truncated\":\(truncated)}".utf8)
  }
}
