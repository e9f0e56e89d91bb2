/// The metrics of one process and one module, as the workers have reported them.
///
/// Counters and histograms only grow, and stay when a worker ends. A gauge is the value at one
/// moment. It belongs to the worker that reported it, and is removed when that worker ends.
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

  /// What is the same for all series of a metric.
  struct Definition: Sendable {
    let kind: Kind
    let help: String
    let bounds: [Double]
  }

  package struct Family: Sendable {
    let definition: Definition
    package var series: [[String: String]: Value] = [:]
    var kind: Kind { definition.kind }
    package var help: String { definition.help }
    package var bounds: [Double] { definition.bounds }
  }

  /// The bounds of a histogram that doesn't report its own, in seconds: 5 ms to 10 s. They are the
  /// defaults of Prometheus's client libraries.
  static let usualBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  static let maxFamilies = 100
  static let maxSeries = 1000

  package let module: String
  package private(set) var families: [String: Family] = [:]
  private(set) var seriesCount = 0

  init(module: String) { self.module = module }

  /// Returns the name of a module's metric on the page of all metrics.
  ///
  /// Rationale: the name contains the module, because Prometheus has one type and one help text for
  /// each name. Two modules with the same name would have to give it the same meaning.
  package static func fullName(_ name: String, module: String) -> String {
    prefix(of: module) + name
  }

  private static func prefix(of module: String) -> String {
    "bulkhead_module_\(module.replacing("-", with: "_"))_"
  }

  /// Returns whether a metric has this full name. The metric `c` of the module `a-b` has the same as
  /// `b_c` of the module `a`.
  func has(fullName: String) -> Bool {
    let prefix = Self.prefix(of: module)
    return fullName.hasPrefix(prefix) && families[String(fullName.dropFirst(prefix.count))] != nil
  }

  /// Applies the report of a metric. It changes the series in its place: a copy of all series of a
  /// metric would take longer with each of them.
  /// - Parameter other: the metric with this name of another process of the module; `nil` if there
  ///   is none.
  /// - Returns: the reason why the report is refused, as a sentence; `nil` if it was applied.
  mutating func take(
    _ metric: ModuleReport.Metric, from caller: ServiceCaller, other: Definition?
  ) -> String? {
    let name = metric.name
    // Only the definition is kept. A family that is held here would be copied by the change.
    let own = families[name]?.definition
    // The metric of another process of the module counts too, because a name has one type and one
    // help text on the page.
    let known = own ?? other
    let bounds = known?.bounds ?? metric.bounds ?? Self.usualBounds
    if let problem = Self.problem(with: metric, known: known, bounds: bounds) { return problem }
    if own == nil, families.count >= Self.maxFamilies {
      return "The process has \(Self.maxFamilies) metrics, which is the most; \"\(name)\" is "
        + "one more."
    }
    let old = families[name]?.series[metric.labels]
    if old == nil, seriesCount >= Self.maxSeries {
      return "The process has \(Self.maxSeries) combinations of labels, which is the most; "
        + "\"\(name)\" would add one."
    }
    if old == nil { seriesCount += 1 }
    if own == nil {
      families[name] = Family(
        definition: Definition(
          kind: metric.kind, help: metric.help ?? known?.help ?? "", bounds: bounds))
    }
    families[name]?.series[metric.labels] = Self.changed(
      old, by: metric.change, caller: caller, bounds: bounds)
    return nil
  }

  /// Returns what of a report contradicts the metric that is known by its name.
  private static func problem(
    with metric: ModuleReport.Metric, known: Definition?, bounds: [Double]
  ) -> String? {
    let name = metric.name
    if let known, known.kind != metric.kind {
      return "\"\(name)\" is a \(known.kind) already, and can't be a \(metric.kind)."
    }
    if let reported = metric.bounds, reported != bounds {
      return "The histogram \"\(name)\" has other bounds already."
    }
    if case .counts(let counts, _) = metric.change, counts.count != bounds.count + 1 {
      return "\"counts\" of \"\(name)\" needs \(bounds.count + 1) numbers, one more than bounds."
    }
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

  /// Removes the gauges of a worker that has ended.
  mutating func ended(_ caller: ServiceCaller) {
    for (name, family) in families where family.kind == .gauge {
      // Callers are compared by identity, because the successor may have set the same gauge
      // already.
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
  /// Adds values. The count of a bucket is limited to 2^53, so that the sum of all counts can't
  /// overflow.
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
