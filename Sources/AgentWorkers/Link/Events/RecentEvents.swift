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
      // A limit of the host's: the answer is held in memory as a whole.
      limit: max(0, min(limit, maxLimit)))
    return json(found.events, truncated: found.truncated)
  }

  /// A member that may be missing or null. Taken for missing, a wrong one would select other events
  /// than the module wants.
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

  /// Joins events that are JSON text already.
  package static func json(_ events: [Event], truncated: Bool) -> [UInt8] {
    let batch = EventBatch(joining: events.map(\.encoded))
    return Array("{\"events\":".utf8) + batch.events + Array(",\"truncated\":\(truncated)}".utf8)
  }
}
