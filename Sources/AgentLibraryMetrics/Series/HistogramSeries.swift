internal import AgentMetrics
internal import CoreMetrics

/// A timer of a library's, or a recorder of a distribution.
final class HistogramSeries: SeriesHandler, TimerHandler, RecorderHandler {
  let series: Series
  private let histogram: AgentMetrics.Histogram

  init(_ series: Series, _ histogram: AgentMetrics.Histogram) {
    self.series = series
    self.histogram = histogram
  }

  func recordNanoseconds(_ duration: Int64) { histogram.observe(Double(duration) / 1e9) }
  func record(_ value: Int64) { histogram.observe(Double(value)) }
  func record(_ value: Double) { if value.isFinite { histogram.observe(value) } }
}
