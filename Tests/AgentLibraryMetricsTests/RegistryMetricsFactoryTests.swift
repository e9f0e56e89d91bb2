import AgentLibraryMetrics
import AgentMetrics
import CoreMetrics
import Testing

/// What libraries count through swift-metrics, among the host's metrics.
@Suite struct RegistryMetricsFactoryTests {
  private let registry = MetricsRegistry()
  private let factory: RegistryMetricsFactory

  init() { factory = RegistryMetricsFactory(registry) }

  private func family(_ name: String) async throws -> MetricFamily {
    try #require(await registry.page()["bulkhead_library_\(name)"])
  }

  private func number(_ name: String, _ labels: MetricLabels = [:]) async throws -> Double? {
    let sample = try await family(name).samples.first { $0.labels == labels }
    guard case .number(let value)? = sample?.value else { return nil }
    return value
  }

  private func histogram(_ name: String) async throws -> HistogramSnapshot? {
    guard case .histogram(let value)? = try await family(name).samples.first?.value else {
      return nil
    }
    return value
  }

  private func counter(_ label: String, _ dimensions: [(String, String)] = [])
    -> CoreMetrics.Counter
  {
    CoreMetrics.Counter(label: label, dimensions: dimensions, factory: factory)
  }

  // MARK: Kinds

  @Test func `a counter counts, also by halves, and equal labels share it`() async throws {
    for _ in 0..<3 { counter("hits", [("kind", "a")]).increment() }
    counter("hits", [("kind", "b")]).increment(by: 5)
    #expect(try await number("hits_total", ["kind": "a"]) == 3)
    #expect(try await number("hits_total", ["kind": "b"]) == 5)
    let halves = FloatingPointCounter(label: "halves", factory: factory)
    halves.increment(by: 0.5)
    halves.increment(by: 0.75)
    #expect(try await number("halves_total") == 1.25)
    #expect(try await family("hits_total").kind == .counter)
    #expect(try await family("hits_total").help.contains("\"hits\""))
  }

  @Test func `a counter that is set back starts anew`() async throws {
    let hits = counter("hits")
    hits.increment(by: 7)
    hits.reset()
    #expect(try await number("hits_total") == 0)
    hits.increment()
    #expect(try await number("hits_total") == 1)
  }

  @Test func `a meter goes up and down`() async throws {
    let meter = Meter(label: "depth", factory: factory)
    meter.set(4)
    meter.increment(by: 2.5)
    meter.decrement()
    #expect(try await number("depth") == 5.5)
    meter.increment(by: Double.infinity)
    #expect(try await number("depth") == 5.5)
    #expect(try await family("depth").kind == .gauge)
  }

  @Test func `a timer is a histogram of seconds, whatever its unit`() async throws {
    let timer = Timer(label: "wait", dimensions: [], factory: factory)
    timer.recordMilliseconds(1500)
    timer.recordNanoseconds(500_000_000)
    #expect(try await histogram("wait_seconds")?.sum == 2)
    #expect(try await histogram("wait_seconds")?.count == 2)
  }

  @Test func `a recorder is a distribution, and a gauge is the last value`() async throws {
    let recorder = Recorder(label: "size", dimensions: [], aggregate: true, factory: factory)
    recorder.record(3)
    recorder.record(20_000)
    recorder.record(Double.nan)
    #expect(try await histogram("size")?.count == 2)
    #expect(try await histogram("size")?.sum == 20_003)
    let gauge = Recorder(label: "level", dimensions: [], aggregate: false, factory: factory)
    gauge.record(3)
    gauge.record(2)
    #expect(try await number("level") == 2)
  }

  // MARK: Names

  @Test(arguments: [
    ("hb.requests", "hb_requests_total"), ("a-b/c d", "a_b_c_d_total"), ("x_total", "x_total"),
    ("é", "___total"), ("a:b", "a_b_total"), ("9lives", "9lives_total"), ("", "_total"),
  ])
  func `names are converted to what Prometheus accepts`(label: String, name: String) async throws {
    counter(label).increment()
    #expect(try await number(name) == 1)
  }

  @Test func `only counters end with _total, and seconds are named once`() async throws {
    Meter(label: "sum_total", factory: factory).set(1)
    #expect(try await number("sum") == 1)
    Timer(label: "took_seconds", dimensions: [], factory: factory).recordSeconds(1)
    #expect(try await histogram("took_seconds")?.count == 1)
  }

  @Test func `labels are converted to what Prometheus accepts`() async throws {
    let dimensions = [
      ("le", "1"), ("__name__", "2"), ("a.b", "3"), ("a_b", "4"), ("1st", "5"), ("", "6"),
      ("long", String(repeating: "é", count: 500)),
    ]
    Recorder(label: "odd", dimensions: dimensions, aggregate: true, factory: factory).record(1)
    let labels = try #require(try await family("odd").samples.first).labels
    #expect(labels["library_le"] == "1" && labels["library___name__"] == "2")
    #expect(labels["a_b"] == "4" && labels["_1st"] == "5" && labels["_"] == "6")
    #expect(labels["long"] == String(repeating: "é", count: 128))
    let many = (0..<40).map { ("l\($0)", "x") }
    counter("many", many).increment()
    #expect(try await family("many_total").samples.first?.labels.pairs.count == 16)
    #expect(await registry.page()["bulkhead_metrics_dropped_total"] == nil)
  }

  @Test func `a very long name is cut`() async throws {
    counter(String(repeating: "n", count: 5000)).increment()
    #expect(try await number(String(repeating: "n", count: 150) + "_total") == 1)
  }

  // MARK: Limits

  @Test func `a label with many values keeps a hundred, and the rest become one`() async throws {
    for user in 0..<1000 { counter("logins", [("user", "\(user)"), ("how", "x")]).increment() }
    let family = try await family("logins_total")
    #expect(family.samples.count == 101)
    #expect(try await number("logins_total", ["user": "other", "how": "other"]) == 900)
    #expect(try await number("logins_total", ["user": "99", "how": "x"]) == 1)
    counter("logins", [("user", "5"), ("how", "x")]).increment()
    #expect(try await number("logins_total", ["user": "5", "how": "x"]) == 2)
  }

  @Test func `gauges with many label values don't mix`() async throws {
    for user in 0..<200 {
      Meter(label: "age", dimensions: [("user", "\(user)")], factory: factory).set(user)
    }
    let family = try await family("age")
    #expect(family.samples.count == 100)
    #expect(!family.samples.contains { $0.labels["user"] == "other" })
  }

  @Test func `a metric destroyed as often as it was made is removed and frees its place`()
    async throws
  {
    let first = counter("hits", [("kind", "a")])
    let second = counter("hits", [("kind", "a")])
    first.increment()
    first.destroy()
    second.increment()
    #expect(try await number("hits_total", ["kind": "a"]) == 2)
    second.destroy()
    second.destroy()
    #expect(await registry.page()["bulkhead_library_hits_total"] == nil)
    counter("hits", [("kind", "a")]).increment()
    #expect(try await number("hits_total", ["kind": "a"]) == 1)
    for user in 0..<300 {
      let meter = Meter(label: "age", dimensions: [("user", "\(user)")], factory: factory)
      meter.set(1)
      if user < 299 { meter.destroy() }
    }
    #expect(try await number("age", ["user": "299"]) == 1)
  }

  @Test func `a name used for two kinds keeps the first`() async throws {
    Meter(label: "both", factory: factory).set(1)
    Recorder(label: "both", dimensions: [], aggregate: true, factory: factory).record(2)
    #expect(try await number("both") == 1)
  }

  @Test func `many threads at once lose no counts`() async throws {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for turn in 0..<500 { self.counter("all", [("t", "\(turn % 150)")]).increment() }
        }
      }
    }
    let values = try await family("all_total").samples.map { sample -> Double in
      if case .number(let value) = sample.value { value } else { 0 }
    }
    #expect(values.reduce(0, +) == 4000)
  }

  /// The only one that may: a process has one system of metrics.
  @Test func `metrics of libraries arrive in the registry`() async throws {
    RegistryMetricsFactory.bootstrap(registry)
    CoreMetrics.Counter(label: "unknowing").increment()
    #expect(try await number("unknowing_total") == 1)
  }
}
