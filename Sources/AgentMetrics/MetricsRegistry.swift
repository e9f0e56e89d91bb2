import Synchronization

/// The host's metrics: handles that count, and collectors that read values kept elsewhere when
/// somebody asks.
///
/// Names and labels follow Prometheus: `bulkhead_…_total` for counters, units that are `_seconds`
/// and `_bytes`. What has no place in the limits isn't kept: its handle works and shows nowhere,
/// and `bulkhead_metrics_dropped_total` counts it.
public final class MetricsRegistry: Sendable {
  private let limits: MetricsLimits
  private let state = Mutex(RegistryState())

  /// An empty registry.
  public init(limits: MetricsLimits = MetricsLimits()) { self.limits = limits }

  /// The counter `name` with `labels`: the same one each time. Keep it where it is used often.
  public func counter(_ name: String, help: String, labels: MetricLabels = [:]) -> Counter {
    orDetached(FamilyDescription(name: name, kind: .counter, help: help), labels)
  }

  /// The gauge `name` with `labels`: the same one each time.
  public func gauge(_ name: String, help: String, labels: MetricLabels = [:]) -> Gauge {
    orDetached(FamilyDescription(name: name, kind: .gauge, help: help), labels)
  }

  /// The histogram `name` with `labels`: the same one each time. Its buckets' upper bounds are
  /// those that were named first.
  public func histogram(
    _ name: String, help: String, labels: MetricLabels = [:], buckets: [Double] = Histogram.seconds
  ) -> Histogram {
    orDetached(
      FamilyDescription(name: name, kind: .histogram, help: help, bounds: buckets), labels)
  }

  /// As `counter`, for a name from outside: says what is wrong with it.
  public func checkedCounter(
    _ name: String, help: String, labels: MetricLabels = [:]
  ) throws(MetricError) -> Counter {
    try instrument(FamilyDescription(name: name, kind: .counter, help: help), labels)
  }

  /// As `gauge`, for a name from outside: says what is wrong with it.
  public func checkedGauge(
    _ name: String, help: String, labels: MetricLabels = [:]
  ) throws(MetricError) -> Gauge {
    try instrument(FamilyDescription(name: name, kind: .gauge, help: help), labels)
  }

  /// As `histogram`, for a name from outside: says what is wrong with it.
  public func checkedHistogram(
    _ name: String, help: String, labels: MetricLabels = [:], buckets: [Double] = Histogram.seconds
  ) throws(MetricError) -> Histogram {
    try instrument(
      FamilyDescription(name: name, kind: .histogram, help: help, bounds: buckets), labels)
  }

  /// Calls `read` for each page. It may wait for what it reads, but not for the world outside: a
  /// scrape waits for it. It must not keep what owns the registry alive.
  public func collect(_ read: @escaping @Sendable (inout MetricsPage) async -> Void) {
    state.withLock { $0.collectors.append(read) }
  }

  /// Forgets series, by name and labels, of what is gone for good, such as a module's. Handles that
  /// somebody holds still work and show nowhere.
  public func remove(where matches: (_ name: String, _ labels: MetricLabels) -> Bool) {
    state.withLock { $0.remove(where: matches) }
  }

  /// Every metric now.
  public func page() async -> MetricsPage {
    let (families, collectors) = state.withLock { ($0.families, $0.collectors) }
    var page = MetricsPage(limits: limits)
    for family in families.values {
      for (labels, instrument) in family.series {
        page.add(family.description, labels: labels, value: instrument.value)
      }
    }
    for collector in collectors { await collector(&page) }
    addDropped(to: &page)
    return page
  }

  private func addDropped(to page: inout MetricsPage) {
    let refused = page.dropped.counts
    let counts = state.withLock { state in
      for (family, count) in refused { state.drop(count, of: family) }
      return state.dropped.counts
    }
    for (family, count) in counts {
      page.counter(
        "bulkhead_metrics_dropped_total",
        help: "Series that were refused, by the family that is full or invalid.",
        labels: ["family": family], value: count)
    }
  }

  private func instrument<Handle: Instrument>(
    _ description: FamilyDescription, _ labels: MetricLabels
  ) throws(MetricError) -> Handle {
    try state.withLock { state throws(MetricError) in
      try state.instrument(description, labels: labels, limits: limits)
    }
  }

  private func orDetached<Handle: Instrument>(
    _ description: FamilyDescription, _ labels: MetricLabels
  ) -> Handle {
    do {
      return try instrument(description, labels)
    } catch {
      if error.code != .limit { state.withLock { $0.drop(1, of: description.name) } }
      return Handle(bounds: description.bounds)
    }
  }
}
