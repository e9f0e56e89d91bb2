internal import AgentMetrics
internal import CoreMetrics

/// A meter of a library's, or a recorder that keeps the last value.
final class GaugeSeries: SeriesHandler, MeterHandler, RecorderHandler {
  let series: Series
  private let gauge: AgentMetrics.Gauge

  init(_ series: Series, _ gauge: AgentMetrics.Gauge) {
    self.series = series
    self.gauge = gauge
  }

  func set(_ value: Int64) { gauge.set(Double(value)) }
  func set(_ value: Double) { gauge.set(value) }
  func increment(by amount: Double) { if amount.isFinite { gauge.add(amount) } }
  func decrement(by amount: Double) { if amount.isFinite { gauge.add(-amount) } }
  func record(_ value: Int64) { set(value) }
  func record(_ value: Double) { set(value) }
}
