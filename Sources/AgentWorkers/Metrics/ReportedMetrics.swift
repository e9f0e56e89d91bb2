/// The metrics of one process, as its workers have reported them.
///
/// Counters and histograms only grow, and outlive a worker. Gauges hold at a moment, and belong to
/// the worker that reported them.
package struct ReportedMetrics: Sendable {
  enum Kind: String, Sendable {
    case counter, gauge, histogram
  }

  package struct Histogram: Sendable, Equatable {
    package var counts: [Int]
    package var sum = 0.0
  }

  package enum Value: Sendable {
    case counter(Double)
    case gauge(Double, by: ServiceCaller)
    case histogram(Histogram)
  }

  package struct Family: Sendable {
    let kind: Kind
    package let help: String
    package let bounds: [Double]
    package var series: [[String: String]: Value] = [:]
  }

  /// From 5 ms to 10 s, as Prometheus' own clients have them.
  static let usualBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  static let maxFamilies = 100
  static let maxSeries = 1000

  package let module: String
  package private(set) var families: [String: Family] = [:]
  private(set) var seriesCount = 0

  init(module: String) { self.module = module }

  /// The name of a module's metric on the page of all metrics. Rationale: type and help are a
  /// name's in Prometheus, so a name that two modules share would have to mean the same to both.
  package static func fullName(_ name: String, module: String) -> String {
    "bulkhead_module_\(module.replacing("-", with: "_"))_\(name)"
  }

  /// Takes a report of a metric.
  /// - Parameter other: what another process of the module has under this name.
  /// - Returns: why it isn't taken; nil when it is.
  mutating func take(
    _ metric: ModuleReport.Metric, from caller: ServiceCaller, other: Family?
  ) -> String? {
    let name = metric.name
    // Also what another process of the module has said: one name has one type and one help on the
    // page.
    let known = families[name] ?? other
    if let known, known.kind != metric.kind {
      return "\"\(name)\" is a \(known.kind) already, and can't be a \(metric.kind)."
    }
    let bounds = known?.bounds ?? metric.bounds ?? Self.usualBounds
    if let own = metric.bounds, own != bounds {
      return "The histogram \"\(name)\" has other bounds already."
    }
    if case .counts(let counts, _) = metric.change, counts.count != bounds.count + 1 {
      return "\"counts\" of \"\(name)\" needs \(bounds.count + 1) numbers, one more than bounds."
    }
    if families[name] == nil, families.count >= Self.maxFamilies {
      return "The process has \(Self.maxFamilies) metrics, which is the most; \"\(name)\" is "
        + "one more."
    }
    var family =
      families[name]
      ?? Family(kind: metric.kind, help: metric.help ?? known?.help ?? "", bounds: bounds)
    let old = family.series[metric.labels]
    if old == nil, seriesCount >= Self.maxSeries {
      return "The process has \(Self.maxSeries) combinations of labels, which is the most; "
        + "\"\(name)\" would add one."
    }
    if old == nil { seriesCount += 1 }
    family.series[metric.labels] = Self.changed(
      old, by: metric.change, caller: caller, bounds: bounds)
    families[name] = family
    return nil
  }

  private static func changed(
    _ old: Value?, by change: ModuleReport.Change, caller: ServiceCaller, bounds: [Double]
  ) -> Value {
    switch change {
    case .set(let value): return .gauge(value, by: caller)
    case .add(let value):
      if case .counter(let sum)? = old { return .counter(sum + value) }
      return .counter(value)
    case .observe, .counts:
      var histogram = Histogram(counts: Array(repeating: 0, count: bounds.count + 1))
      if case .histogram(let before)? = old { histogram = before }
      histogram.take(change, bounds)
      return .histogram(histogram)
    }
  }

  /// A worker has ended: what it alone could say is gone.
  mutating func ended(_ caller: ServiceCaller) {
    for (name, family) in families where family.kind == .gauge {
      // By identity: the successor may have set the same gauge already.
      let left = family.series.filter { _, value in
        if case .gauge(_, let by) = value { return by !== caller }
        return true
      }
      seriesCount -= family.series.count - left.count
      if left.isEmpty { families[name] = nil } else { families[name]?.series = left }
    }
  }
}

extension ReportedMetrics.Histogram {
  /// Counts more values; a count stays where all of them can still be added up.
  fileprivate mutating func take(_ change: ModuleReport.Change, _ bounds: [Double]) {
    func add(_ count: Int, to bucket: Int) {
      counts[bucket] = min(counts[bucket] + min(count, 1 << 32), 1 << 53)
    }
    switch change {
    case .observe(let values):
      for value in values {
        add(1, to: bounds.firstIndex { value <= $0 } ?? bounds.count)
        sum += value
      }
    case .counts(let more, let sum):
      for (bucket, count) in more.enumerated() where bucket < counts.count {
        add(count, to: bucket)
      }
      self.sum += sum
    case .add, .set: break
    }
  }
}
