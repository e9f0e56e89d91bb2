package import AgentEvents
internal import AgentJSON
internal import AgentWorkerProtocol

/// `query` of `events/1`: the answer is the same for a worker and for a module inside the host.
package enum RecentEvents {
  private static let usualLimit = 1000
  private static let maxLimit = 10_000

  /// Reads `{"query", "window_ms"?, "limit"?}` and gives `{"events": […], "truncated": bool}`.
  /// - Throws: what is wrong with the JSON or with the query.
  static func answer(_ request: [UInt8], from bus: EventBus) async throws -> [UInt8] {
    let fields = try JSONDocument(parsing: request).root
    let query = try EventQuery(parsing: fields["query"]?.string ?? "")
    let found = try await bus.events(
      matching: query, window: fields["window_ms"]?.int.map { Int64($0) },
      // A limit of the host's: the answer is held in memory as a whole.
      limit: max(0, min(fields["limit"]?.int ?? usualLimit, maxLimit)))
    return json(found.events, truncated: found.truncated)
  }

  /// Joins events that are JSON text already.
  package static func json(_ events: [Event], truncated: Bool) -> [UInt8] {
    let batch = EventBatch(joining: events.map(\.encoded))
    return Array("{\"events\":".utf8) + batch.events + Array(",\"truncated\":\(truncated)}".utf8)
  }
}
