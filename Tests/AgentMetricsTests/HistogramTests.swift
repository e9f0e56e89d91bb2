import AgentMetrics
import Testing

@Suite("Histograms")
struct HistogramTests {
  private func histogram(_ values: [Double], _ buckets: [Double]) -> HistogramSnapshot {
    let histogram = MetricsRegistry().histogram("a", help: "", buckets: buckets)
    for value in values { histogram.observe(value) }
    return histogram.snapshot
  }

  @Test func `a value belongs to the first bucket whose bound it doesn't exceed`() {
    let found = histogram([0, 1, 1.5, 2, 2.1, .infinity, -1], [1, 2])
    #expect(found.counts == [3, 2, 2])
    #expect(found.count == 7)
  }

  @Test func `a value that is no number is left out`() {
    #expect(histogram([.nan, 1], [1]).count == 1)
  }

  @Test func `a quantile is interpolated within its bucket`() throws {
    let found = histogram((1...100).map(Double.init), [50, 100])
    #expect(try #require(found.quantile(0.5)) == 50)
    #expect(try #require(found.quantile(0.25)) == 25)
    #expect(abs(try #require(found.quantile(0.95)) - 95) < 1e-9)
  }

  @Test func `a quantile beyond the last bound is that bound`() {
    #expect(histogram([1000], [1, 2]).quantile(0.99) == 2)
  }

  @Test func `an empty histogram has no quantile`() {
    #expect(histogram([], [1]).quantile(0.5) == nil)
    #expect(histogram([1], []).quantile(0.5) == nil)
    #expect(histogram([1], [1]).quantile(2) == nil)
  }

  @Test func `durations are recorded in seconds`() {
    let histogram = MetricsRegistry().histogram("a", help: "")
    histogram.observe(.milliseconds(250))
    #expect(histogram.snapshot.sum == 0.25)
  }
}
