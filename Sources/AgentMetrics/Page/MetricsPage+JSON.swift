public import AgentJSON

extension MetricsPage {
  /// Returns the families as JSON, with the median and the 95th and 99th percentiles of each
  /// histogram.
  /// - Parameter filter: a part of the names of the families to return. `nil` returns all.
  public func json(matching filter: String? = nil) -> JSONValue {
    let matching = families.filter { family in filter.map { family.name.contains($0) } ?? true }
    return .object(JSONObject([("metrics", .array(matching.map(\.json)))]))
  }
}

extension MetricFamily {
  /// The family as JSON.
  public var json: JSONValue {
    .object(
      JSONObject([
        ("name", .string(name)), ("type", .string(kind.rawValue)), ("help", .string(help)),
        ("series", .array(samples.map(\.json))),
      ]))
  }
}

extension MetricSample {
  /// The series as JSON.
  public var json: JSONValue {
    let labels = JSONObject(labels.pairs.map { ($0.name, .string($0.value)) })
    var members = JSONObject([("labels", .object(labels))])
    switch value {
    case .number(let value): members["value"] = JSONValue(value)
    case .histogram(let value):
      members["count"] = JSONValue(value.count)
      members["sum"] = JSONValue(value.sum)
      for (key, share) in [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)] {
        members[key] = value.quantile(share).map { JSONValue($0) } ?? .null
      }
      members["buckets"] = .array(
        zip(value.labels, value.counts).map { bound, count in
          .object(
            JSONObject([
              ("le", bound.map { JSONValue($0) } ?? .null),
              ("count", JSONValue(count)),
            ]))
        })
    }
    return .object(members)
  }
}
