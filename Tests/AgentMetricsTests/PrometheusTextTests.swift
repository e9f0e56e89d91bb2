import AgentMetrics
import Testing

@Suite("Prometheus text")
struct PrometheusTextTests {
  let registry = MetricsRegistry()

  private func text(_ form: PrometheusText = .plain) async -> String {
    String(decoding: form.text(await registry.page()), as: UTF8.self)
  }

  @Test func `a counter, a gauge and a histogram are written`() async {
    registry.counter("a_total", help: "What is a?", labels: ["x": "1"]).increment()
    registry.gauge("b", help: "What is b?").set(-1.5)
    let histogram = registry.histogram(
      "c_seconds", help: "What is c?", labels: ["y": "2"], buckets: [0.5, 1])
    histogram.observe(0.25)
    histogram.observe(4)
    #expect(
      await text() == """
        # HELP a_total What is a?
        # TYPE a_total counter
        a_total{x="1"} 1
        # HELP b What is b?
        # TYPE b gauge
        b -1.5
        # HELP c_seconds What is c?
        # TYPE c_seconds histogram
        c_seconds_bucket{y="2",le="0.5"} 1
        c_seconds_bucket{y="2",le="1.0"} 1
        c_seconds_bucket{y="2",le="+Inf"} 2
        c_seconds_sum{y="2"} 4.25
        c_seconds_count{y="2"} 2

        """)
  }

  @Test func `OpenMetrics names a counter's family without _total and says where the page ends`()
    async
  {
    registry.counter("a_total", help: "What is \"a\"?").increment()
    #expect(
      await text(.openMetrics) == """
        # HELP a What is \\"a\\"?
        # TYPE a counter
        a_total 1
        # EOF

        """)
  }

  @Test func `backslashes, line ends and quotes are escaped where each must be`() async {
    registry.gauge("a", help: "one \\ two\n\"three\"", labels: ["x": "1\\2\n\"3\" ä\t"]).set(1)
    #expect(
      await text() == """
        # HELP a one \\\\ two\\n"three"
        # TYPE a gauge
        a{x="1\\\\2\\n\\"3\\" ä\t"} 1

        """)
  }

  @Test(arguments: [
    (Double.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (0, "0"), (-0.0, "0"),
    (1e15, "1000000000000000"), (1e-7, "1e-07"), (0.1, "0.1"), (1e300, "1e+300"),
  ])
  func `a number is written as Prometheus reads it`(value: Double, text: String) async {
    registry.gauge("a", help: "").set(value)
    #expect(await self.text().hasSuffix("\na \(text)\n"))
  }

  @Test func `series are ordered by their labels`() async {
    for value in ["c", "a", "b"] { registry.gauge("a", help: "", labels: ["x": value]).set(1) }
    let lines = await text().split(separator: "\n").dropFirst(2)
    #expect(lines == ["a{x=\"a\"} 1", "a{x=\"b\"} 1", "a{x=\"c\"} 1"])
  }

  @Test func `a request that prefers OpenMetrics gets it`() {
    #expect(PrometheusText(accepted: nil) == .plain)
    #expect(PrometheusText(accepted: "text/plain") == .plain)
    let accepted = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"
    #expect(PrometheusText(accepted: accepted) == .openMetrics)
    #expect(PrometheusText.openMetrics.contentType.hasPrefix("application/openmetrics-text"))
  }
}
