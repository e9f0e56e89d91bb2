internal import AgentKit

/// The metrics of a process under test: the rules of the host's `metrics/1`, in memory.
struct TestMetrics {
  /// The value of a metric.
  enum Value {
    case counter(Double)
    case gauge(Double)
    case histogram(TestHistogram)
  }

  struct Key: Hashable {
    let name: String
    let labels: [String: String]
  }

  private(set) var values: [Key: Value] = [:]
  private(set) var health: [String: TestHost.Health] = [:]
  /// The kind of each name, and a histogram's bounds.
  private var families: [String: (kind: String, bounds: [Double])] = [:]

  private static let limits = (families: 100, series: 1000, components: 50)

  /// Answers a call of `metrics/1` as the host does.
  mutating func call(_ method: String, _ input: [UInt8]) throws(ModuleError) -> JSONValue {
    let report = try TestMetricsReport(method, input)
    var refused: [JSONValue] = []
    for metric in report.metrics {
      if let reason = take(metric) {
        refused.append(["name": .string(metric.name), "reason": .string(reason)])
      }
    }
    for part in report.health {
      if let reason = take(part) {
        refused.append(["component": .string(part.component), "reason": .string(reason)])
      }
    }
    return ["refused": .array(refused)]
  }

  // MARK: Values

  /// Records a metric. Returns why it was refused; nil when it was accepted.
  private mutating func take(_ metric: TestMetricsReport.Metric) -> String? {
    if let reason = metric.problem { return reason }
    let name = metric.name
    let family = families[name]
    if let family, family.kind != metric.kind {
      return "\"\(name)\" is a \(family.kind) already, and can't be a \(metric.kind)."
    }
    let bounds = family?.bounds ?? metric.bounds ?? Metrics.Histogram.usualBounds
    if let own = metric.bounds, own != bounds {
      return "The histogram \"\(name)\" has other bounds already."
    }
    if let counts = metric.counts, counts.count != bounds.count + 1 {
      return "\"counts\" of \"\(name)\" needs \(bounds.count + 1) numbers, one more than bounds."
    }
    if family == nil, families.count >= Self.limits.families {
      return
        "The process has \(Self.limits.families) metrics, which is the most; \"\(name)\" is one "
        + "more."
    }
    let key = Key(name: name, labels: metric.labels)
    if values[key] == nil, values.count >= Self.limits.series {
      return "The process has \(Self.limits.series) combinations of labels, which is the most; "
        + "\"\(name)\" would add one."
    }
    families[name] = (metric.kind, bounds)
    values[key] = changed(values[key], by: metric, bounds)
    return nil
  }

  private func changed(
    _ value: Value?, by metric: TestMetricsReport.Metric, _ bounds: [Double]
  ) -> Value {
    switch metric.change {
    case .set(let number): return .gauge(number)
    case .add(let number):
      if case .counter(let sum)? = value { return .counter(sum + number) }
      return .counter(number)
    case .counts, .observe:
      var histogram = TestHistogram(bounds: bounds)
      if case .histogram(let old)? = value { histogram = old }
      histogram.take(metric.change)
      return .histogram(histogram)
    }
  }

  // MARK: Health

  private mutating func take(_ part: TestMetricsReport.Part) -> String? {
    if let problem = part.problem { return problem }
    if health[part.component] == nil, health.count >= Self.limits.components {
      return "The process has reported \(Self.limits.components) components, which is the maximum."
    }
    health[part.component] = .init(
      state: part.state, reason: part.reason.map { String($0.prefix(500)) })
    return nil
  }
}

/// The values that a histogram has counted.
struct TestHistogram {
  let bounds: [Double]
  private(set) var counts: [Int]
  private(set) var sum = 0.0

  init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  mutating func take(_ change: TestMetricsReport.Change) {
    switch change {
    case .counts(let more, let sum):
      for (bucket, count) in more.enumerated() { counts[bucket] += count }
      self.sum += sum
    case .observe(let values):
      for value in values {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
      }
    case .add, .set: break
    }
  }
}
