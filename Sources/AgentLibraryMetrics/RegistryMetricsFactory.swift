public import AgentMetrics
public import CoreMetrics

/// Shows what libraries count through swift-metrics among the host's metrics, as
/// `bulkhead_library_…`.
///
/// A counter is one, with `_total`; a timer is a histogram of seconds; a recorder is a histogram,
/// or a gauge where it asks for no distribution; a meter is a gauge. The same label with the same
/// dimensions is the same series, however often it is made; it goes when it was destroyed as often.
public struct RegistryMetricsFactory: MetricsFactory {
  private let registry: MetricsRegistry
  /// Its handles work and show nowhere.
  private let nowhere = MetricsRegistry(limits: MetricsLimits(families: 0, series: 0))
  private let seriesRegistry = SeriesRegistry()

  /// A factory whose metrics go into `registry`.
  public init(_ registry: MetricsRegistry) { self.registry = registry }

  /// Makes `registry` where all libraries of this process count, once in its life.
  public static func bootstrap(_ registry: MetricsRegistry) {
    MetricsSystem.bootstrap(RegistryMetricsFactory(registry))
  }

  /// Upper bounds for values of which nothing is known.
  private static let magnitudes: [Double] = [
    0.001, 0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
  ]

  /// A counter of whole numbers.
  public func makeCounter(
    label: String, dimensions: [(String, String)]
  ) -> any CounterHandler { counter(label, dimensions) }

  /// A counter of any amounts.
  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler { counter(label, dimensions) }

  /// A gauge.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    gauge(label, dimensions)
  }

  /// A histogram, or a gauge of the value that was recorded last.
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    aggregate
      ? histogram(label, dimensions: dimensions, unit: "", bounds: Self.magnitudes)
      : gauge(label, dimensions)
  }

  /// A histogram of seconds.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    histogram(label, dimensions: dimensions, unit: "_seconds", bounds: Histogram.seconds)
  }

  /// Forgets a counter.
  public func destroyCounter(_ handler: any CounterHandler) { destroy(handler) }
  /// Forgets a counter.
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
    destroy(handler)
  }
  /// Forgets a gauge.
  public func destroyMeter(_ handler: any MeterHandler) { destroy(handler) }
  /// Forgets what was recorded.
  public func destroyRecorder(_ handler: any RecorderHandler) { destroy(handler) }
  /// Forgets what was timed.
  public func destroyTimer(_ handler: any TimerHandler) { destroy(handler) }

  private func counter(_ label: String, _ dimensions: [(String, String)]) -> CounterSeries {
    let wanted = Series(label, dimensions: dimensions, kind: .counter, unit: "")
    return seriesRegistry.take(wanted) { series, isKept in
      CounterSeries(
        series,
        (isKept ? registry : nowhere).counter(
          series.name, help: series.help, labels: series.labels))
    }
  }

  private func gauge(_ label: String, _ dimensions: [(String, String)]) -> GaugeSeries {
    let wanted = Series(label, dimensions: dimensions, kind: .gauge, unit: "")
    return seriesRegistry.take(wanted) { series, isKept in
      GaugeSeries(
        series,
        (isKept ? registry : nowhere).gauge(series.name, help: series.help, labels: series.labels))
    }
  }

  private func histogram(
    _ label: String, dimensions: [(String, String)], unit: String, bounds: [Double]
  ) -> HistogramSeries {
    let wanted = Series(label, dimensions: dimensions, kind: .histogram, unit: unit)
    return seriesRegistry.take(wanted) { series, isKept in
      HistogramSeries(
        series,
        (isKept ? registry : nowhere).histogram(
          series.name, help: series.help, labels: series.labels, buckets: bounds))
    }
  }

  private func destroy(_ handler: AnyObject) {
    seriesRegistry.release(handler) { series in
      registry.remove { name, labels in name == series.name && labels == series.labels }
    }
  }
}
