internal import AgentMetrics
internal import CoreMetrics

/// A counter of a library's.
final class CounterSeries: SeriesHandler, CounterHandler, FloatingPointCounterHandler {
  let series: Series
  private let counter: AgentMetrics.Counter

  init(_ series: Series, _ counter: AgentMetrics.Counter) {
    self.series = series
    self.counter = counter
  }

  func increment(by amount: Int64) { counter.increment(by: Int(clamping: amount)) }
  func increment(by amount: Double) { counter.add(amount) }
  func reset() { counter.reset() }
}
