import Synchronization

/// The host's metrics. Handles count values themselves. Collectors read values that are kept
/// elsewhere, once for each page.
///
/// Names and labels follow Prometheus: counters are called `bulkhead_…_total`, and units are
/// `_seconds` and `_bytes`. Beyond the limits, a series isn't kept: its handle works but doesn't
/// appear on any page, and `bulkhead_metrics_dropped_total` counts the series.
public final class MetricsRegistry: Sendable {
  private let limits: MetricsLimits
  private let state = Mutex(RegistryState())

  /// Creates an empty registry.
  public init(limits: MetricsLimits = MetricsLimits()) { self.limits = limits }

  /// Returns the counter `name` with `labels`, the same one for each call. Frequent users keep it,
  /// because each call takes a lock.
  public func counter(_ name: String, help: String, labels: MetricLabels = [:]) -> Counter {
    orDetached(FamilyDescription(name: name, kind: .counter, help: help), labels)
  }

  /// Returns the gauge `name` with `labels`, the same one for each call.
  public func gauge(_ name: String, help: String, labels: MetricLabels = [:]) -> Gauge {
    orDetached(FamilyDescription(name: name, kind: .gauge, help: help), labels)
  }

  /// Returns the histogram `name` with `labels`, the same one for each call. The first call for
  /// `name` sets the upper bounds of its buckets; later calls can't change them.
  public func histogram(
    _ name: String, help: String, labels: MetricLabels = [:], buckets: [Double] = Histogram.seconds
  ) -> Histogram {
    orDetached(
      FamilyDescription(name: name, kind: .histogram, help: help, bounds: buckets), labels)
  }

  /// Does the same as `counter` for a name from outside the host.
  /// - Throws: `MetricError` with a sentence for the author of the metric.
  public func checkedCounter(
    _ name: String, help: String, labels: MetricLabels = [:]
  ) throws(MetricError) -> Counter {
    try instrument(FamilyDescription(name: name, kind: .counter, help: help), labels)
  }

  /// Does the same as `gauge` for a name from outside the host.
  /// - Throws: `MetricError` with a sentence for the author of the metric.
  public func checkedGauge(
    _ name: String, help: String, labels: MetricLabels = [:]
  ) throws(MetricError) -> Gauge {
    try instrument(FamilyDescription(name: name, kind: .gauge, help: help), labels)
  }

  /// Does the same as `histogram` for a name from outside the host.
  /// - Throws: `MetricError` with a sentence for the author of the metric.
  public func checkedHistogram(
    _ name: String, help: String, labels: MetricLabels = [:], buckets: [Double] = Histogram.seconds
  ) throws(MetricError) -> Histogram {
    try instrument(
      FamilyDescription(name: name, kind: .histogram, help: help, bounds: buckets), labels)
  }

  /// Registers a collector, which ``page()`` calls each time. The collector may wait for other
  /// parts of the host, but not for anything outside the host, because a scrape waits for it. It
  /// must not hold the owner of the registry, or neither is ever freed.
  public func collect(_ read: @escaping @Sendable (inout MetricsPage) async -> Void) {
    state.withLock { $0.collectors.append(read) }
  }

  /// Removes the series for which `matches` returns true. Called when their source has gone for
  /// good, such as a module. Handles that are still held work but don't appear on any page.
  public func remove(where matches: (_ name: String, _ labels: MetricLabels) -> Bool) {
    state.withLock { $0.remove(where: matches) }
  }

  /// Returns every metric at this moment. It calls the collectors one after the other.
  public func page() async -> MetricsPage {
    // Collectors are called without the lock, because they may use the registry themselves.
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
      // The state has already counted a series beyond the limit of its family.
      if error.code != .limit { state.withLock { $0.drop(1, of: description.name) } }
      return Handle(bounds: description.bounds)
    }
  }
}
