package import AgentEvents
package import AgentJSON
internal import AgentQueries

/// The costs of queries, in the form of the API.
package enum QueryReport {
  /// The largest number of entries of a kind. A host may have thousands.
  private static let most = 50

  package static func json(of events: EventBus) -> JSONValue {
    let costs = events.queryCosts
    let audiences = events.audiences
    return [
      "running": .array(costs.running.suffix(most).map(json)),
      "slowest": .array(costs.slowest.map(json)),
      "standing": JSONValue(audiences.reduce(0) { $0 + $1.subscriptions }),
      "audiences": .array(audiences.prefix(most).map(json)),
    ]
  }

  private static func json(_ cost: QueryCost) -> JSONValue {
    [
      "query": .string(cost.text), "span": cost.span.map { .string($0) } ?? .null,
      "started_at": JSONValue(cost.startedAt),
      "ended_at": cost.endedAt.map { JSONValue($0) } ?? .null,
      "past_ms": JSONValue(cost.pastMilliseconds),
      // The limit is `max_bytes`. A query that needs more is ended.
      "bytes": JSONValue(cost.stages.reduce(0) { $0 + $1.bytes }),
      "max_bytes": JSONValue(QueryTiming().bytes),
      "stages": .array(cost.stages.map { .object($0.json) }),
    ]
  }

  private static func json(_ audience: EventBus.Audience) -> JSONValue {
    [
      "query": .string(audience.text), "subscriptions": JSONValue(audience.subscriptions),
      "waiting": JSONValue(audience.maxWaiting), "behind": JSONValue(audience.behind),
    ]
  }
}
