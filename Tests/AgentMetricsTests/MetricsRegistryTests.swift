import AgentMetrics
import Testing

@Suite("The registry of metrics")
struct MetricsRegistryTests {
  let registry = MetricsRegistry()

  private func value(_ name: String, _ labels: MetricLabels = [:]) async -> Double? {
    let sample = await registry.page()[name]?.samples.first { $0.labels == labels }
    guard case .number(let value) = sample?.value else { return nil }
    return value
  }

  @Test func `the same name and labels give the same counter, in any order`() async {
    registry.counter("a_total", help: "", labels: ["x": "1", "y": "2"]).increment()
    registry.counter("a_total", help: "", labels: ["y": "2", "x": "1"]).increment(by: 4)
    #expect(await value("a_total", ["x": "1", "y": "2"]) == 5)
  }

  @Test func `a counter only grows`() async {
    let counter = registry.counter("a_total", help: "")
    counter.increment(by: -3)
    counter.add(-1)
    counter.add(.nan)
    counter.increment()
    counter.add(0.5)
    #expect(await value("a_total") == 1.5)
  }

  @Test func `many tasks count at once without loss`() async {
    let counter = registry.counter("a_total", help: "")
    let gauge = registry.gauge("g", help: "")
    let histogram = registry.histogram("h", help: "", buckets: [1, 2])
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for turn in 0..<1000 {
            counter.increment()
            gauge.add(1)
            histogram.observe(Double(turn % 4))
          }
        }
      }
    }
    #expect(await value("a_total") == 8000)
    #expect(await value("g") == 8000)
    #expect(histogram.snapshot.counts == [4000, 2000, 2000])
    #expect(histogram.snapshot.sum == 12000)
  }

  @Test func `collected values are on the page beside the handles' values`() async {
    registry.gauge("a", help: "").set(2)
    registry.collect { page in
      page.gauge("b", help: "", labels: ["of": "x"], value: 3)
      page.counter("c_total", help: "", value: 4)
    }
    #expect(await registry.page().families.map(\.name) == ["a", "b", "c_total"])
    #expect(await value("b", ["of": "x"]) == 3)
  }

  @Test(arguments: [
    "", "1a_total", "a-b_total", "a b_total", "ä_total", "a\n_total", "a",
    String(repeating: "a", count: 300) + "_total",
  ])
  func `an invalid counter name is refused`(name: String) {
    #expect(throws: MetricError.self) { try registry.checkedCounter(name, help: "") }
  }

  @Test func `a name with colons and digits is accepted`() throws {
    try registry.checkedCounter("a:b_9_total", help: "").increment()
  }

  @Test func `only counters end with _total`() {
    #expect(throws: MetricError.self) { try registry.checkedGauge("a_total", help: "") }
  }

  @Test(arguments: ["", "1a", "a:b", "__a", "a-b"])
  func `an invalid label name is refused`(name: String) {
    #expect(throws: MetricError.self) {
      try registry.checkedGauge("a", help: "", labels: MetricLabels([(name, "")]))
    }
  }

  @Test func `a histogram can't have the label le`() {
    #expect(throws: MetricError.self) {
      try registry.checkedHistogram("a", help: "", labels: ["le": "1"])
    }
  }

  @Test func `a duplicate label is refused`() {
    #expect(throws: MetricError.self) {
      try registry.checkedGauge("a", help: "", labels: MetricLabels([("x", "1"), ("x", "2")]))
    }
  }

  @Test(arguments: [[2.0, 1], [1, 1], [.infinity], [.nan]])
  func `buckets that don't rise are refused`(buckets: [Double]) {
    #expect(throws: MetricError.self) {
      try registry.checkedHistogram("a", help: "", buckets: buckets)
    }
  }

  @Test func `a name has one kind`() throws {
    _ = registry.gauge("a", help: "")
    let error = #expect(throws: MetricError.self) {
      try registry.checkedHistogram("a", help: "")
    }
    #expect(error?.code == .conflict)
    #expect(error?.message == "\"a\" is a gauge already.")
  }

  @Test func `a name that a histogram's parts use is refused, and the other way round`() {
    _ = registry.histogram("a", help: "")
    #expect(throws: MetricError.self) { try registry.checkedGauge("a_count", help: "") }
    _ = registry.gauge("b_sum", help: "")
    #expect(throws: MetricError.self) { try registry.checkedHistogram("b", help: "") }
  }

  @Test func `a refused metric works, appears nowhere and is counted`() async {
    registry.gauge("not a name", help: "").set(1)
    _ = registry.gauge("a", help: "")
    registry.counter("a", help: "").increment()
    let page = await registry.page()
    #expect(page.families.map(\.name) == ["a", "bulkhead_metrics_dropped_total"])
    #expect(await value("bulkhead_metrics_dropped_total", ["family": "not a name"]) == 1)
  }

  @Test func `label combinations are bounded, and the excess is counted`() async throws {
    let registry = MetricsRegistry(limits: MetricsLimits(series: 3))
    for index in 0..<10 {
      registry.counter("a_total", help: "", labels: ["n": "\(index)"]).increment()
    }
    let page = await registry.page()
    #expect(page["a_total"]?.samples.count == 3)
    #expect(page["bulkhead_metrics_dropped_total"]?.samples.first?.value == .number(7))
  }

  @Test func `families are bounded`() async {
    let registry = MetricsRegistry(limits: MetricsLimits(families: 2))
    for name in ["a", "b", "c"] { registry.gauge(name, help: "").set(1) }
    #expect(await registry.page()["c"] == nil)
    let error = #expect(throws: MetricError.self) { try registry.checkedGauge("d", help: "") }
    #expect(error?.code == .limit)
  }

  @Test func `dropped names beyond a hundred are counted as one`() async {
    for index in 0..<300 { registry.gauge("no name \(index)", help: "").set(1) }
    let page = await registry.page()
    #expect(page["bulkhead_metrics_dropped_total"]?.samples.count == 101)
  }

  @Test func `collectors are bounded too, and a series appears once`() async {
    let registry = MetricsRegistry(limits: MetricsLimits(series: 2))
    registry.collect { page in
      for index in 0..<5 { page.gauge("a", help: "", labels: ["n": "\(index)"], value: index) }
      page.gauge("b", help: "", value: 1)
      page.gauge("b", help: "", value: 2)
      page.counter("b", help: "", value: 2)
    }
    let page = await registry.page()
    #expect(page["a"]?.samples.count == 2)
    #expect(page["b"]?.samples.map(\.value) == [.number(1)])
  }

  @Test func `a removed label set is forgotten`() async {
    registry.gauge("a", help: "", labels: ["module": "x"]).set(1)
    registry.gauge("a", help: "", labels: ["module": "y"]).set(1)
    registry.gauge("b", help: "", labels: ["module": "x"]).set(1)
    registry.remove { _, labels in labels["module"] == "x" }
    let page = await registry.page()
    #expect(page.families.map(\.name) == ["a"])
    #expect(page["a"]?.samples.count == 1)
  }
}
