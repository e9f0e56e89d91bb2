import AgentJSON
import AgentMetrics
import AgentModules
import AgentWorkerProtocol
import HostTestSupport
import Synchronization
import Testing

@testable import AgentWorkers

@Suite struct ModuleMetricsTests {
  private let metrics: ModuleMetrics
  private let registry = MetricsRegistry()
  private let caller = ServiceCaller("p", module: "my-shop")

  init() {
    metrics = ModuleMetrics(now: { 1_000 })
    registry.collect { [metrics] in metrics.write(to: &$0) }
  }

  @discardableResult
  private func report(_ input: String, from caller: ServiceCaller? = nil) throws -> JSONValue {
    try metrics.answer("report", Array(input.utf8), from: caller ?? self.caller).get()
  }

  /// A metric as `/metrics` has it.
  private func value(_ name: String, _ labels: MetricLabels) async -> MetricValue? {
    await registry.page()["bulkhead_module_my_shop_\(name)"]?.samples.first { $0.labels == labels }?
      .value
  }

  // MARK: What every implementation answers

  static let suites: [String: [JSONValue]] = {
    let path = "\(InProcessModule.root)/SDK/conformance/metrics.json"
    let bytes = (try? FileSystem.read(path)) ?? []
    let suites = (try? JSONValue(parsing: bytes))?.array ?? []
    return Dictionary(
      suites.map { ($0["name"]?.string ?? "", $0["steps"]?.array ?? []) },
      uniquingKeysWith: { $0 + $1 })
  }()

  @Test func `the conformance suites exist`() { #expect(Self.suites.count > 4) }

  @Test(arguments: suites.keys.sorted())
  func `metrics requests are answered as in every implementation`(_ suite: String) async throws {
    for step in Self.suites[suite] ?? [] {
      let input = (step["input"] ?? .null).bytes()
      switch metrics.answer(step["method"]?.string ?? "", input, from: caller) {
      case .success(let answer): #expect(answer == step["answer"], "\(step)")
      case .failure(let error):
        #expect(error.code.name == step["error"]?.string, "\(step): \(error)")
        #expect(error.message.contains(step["says"]?.string ?? ""), "\(step): \(error)")
      }
      for shown in step["shows"]?.array ?? [] { await check(shown) }
      if let expected = step["health"]?.array {
        let health = metrics.health.map { part -> JSONValue in
          var object: JSONObject = ["state": .string(part.state.rawValue)]
          if !part.component.isEmpty { object["component"] = .string(part.component) }
          object["reason"] = part.reason.map(JSONValue.string)
          return .object(object)
        }
        #expect(health == expected, "\(step)")
      }
    }
  }

  private func check(_ shown: JSONValue) async {
    let labels = MetricLabels(
      (shown["labels"]?.object ?? [:]).map { ($0.key, $0.value.string ?? "") } + [("process", "p")])
    switch await value(shown["name"]?.string ?? "", labels) {
    case .number(let value): #expect(value == shown["value"]?.double, "\(shown)")
    case .histogram(let value):
      #expect(value.count == shown["count"]?.int, "\(shown)")
      #expect(abs(value.sum - (shown["sum"]?.double ?? 0)) < 1e-9, "\(shown)")
    case nil: Issue.record("\(shown) isn't there")
    }
  }

  // MARK: Generations

  @Test func `counters continue over a restart, and gauges and health end with their worker`()
    async throws
  {
    try report(
      #"{"metrics":[{"name":"n_total","add":2},{"name":"g","set":1},{"name":"h","observe":[1]}],"#
        + #""health":[{"state":"failing","reason":"No."}]}"#)
    metrics.ended(caller)
    #expect(metrics.health.isEmpty)
    #expect(await value("g", ["process": "p"]) == nil)
    let next = ServiceCaller("p", module: "my-shop")
    try report(#"{"metrics":[{"name":"n_total","add":3},{"name":"h","observe":[1]}]}"#, from: next)
    #expect(await value("n_total", ["process": "p"]) == .number(5))
    guard case .histogram(let h)? = await value("h", ["process": "p"]) else {
      Issue.record("no histogram")
      return
    }
    #expect(h.count == 2)
  }

  @Test func `a successor's gauges and health stay when its predecessor ends`() async throws {
    let next = ServiceCaller("p", module: "my-shop")
    let input = #"{"metrics":[{"name":"g","set":1}],"health":[{"state":"ok"}]}"#
    try report(input)
    try report(input, from: next)
    metrics.ended(caller)
    #expect(await value("g", ["process": "p"]) == .number(1))
    #expect(metrics.health.count == 1)
  }

  @Test func `a removed process's metrics are forgotten`() async throws {
    try report(#"{"metrics":[{"name":"n_total","add":2}]}"#)
    metrics.keep(["other"])
    #expect(metrics.reported.isEmpty)
    // Its last words may come later.
    try report(#"{"metrics":[{"name":"n_total","add":2}]}"#)
    metrics.ended(caller)
    #expect(metrics.reported.isEmpty)
  }

  @Test func `a process that changes its module has the metrics of the new one only`()
    async throws
  {
    let input = #"{"metrics":[{"name":"n_total","add":2},{"name":"g","set":1}]}"#
    metrics.started(caller)
    try report(input)
    let next = ServiceCaller("p", module: "other")
    // A worker may report before it is started, and its predecessor until it has ended.
    try report(input, from: next)
    #expect(metrics.reported.map(\.reported.module) == ["my-shop", "other"])
    metrics.started(next)
    #expect(metrics.reported.map(\.reported.module) == ["other"])
    try report(input)
    metrics.ended(caller)
    #expect(metrics.reported.map(\.reported.module) == ["other"])
    #expect(metrics.reported.first?.reported.families.count == 2)
    #expect(await value("n_total", ["process": "p"]) == nil)
    // One of the former module that never starts leaves nothing either.
    let refused = ServiceCaller("p", module: "my-shop")
    try report(input, from: refused)
    metrics.ended(refused)
    #expect(metrics.reported.map(\.reported.module) == ["other"])
  }

  @Test func `a report changes the series of a metric in their place`() throws {
    let entries = (0..<100).map { #"{"name":"n_total","labels":{"n":"\#($0)"},"add":1}"# }
    try report(#"{"metrics":[\#(entries.joined(separator: ","))]}"#)
    // A copy would be elsewhere: it is made while the first one is still there.
    let before = place(of: "n_total")
    try report(#"{"metrics":[{"name":"n_total","labels":{"n":"7"},"add":1}]}"#)
    #expect(before != nil && place(of: "n_total") == before)
  }

  /// The address at which the series of a metric are.
  private func place(of name: String) -> UInt? {
    metrics.reported.first?.reported.families[name].map { unsafeBitCast($0.series, to: UInt.self) }
  }

  @Test func `a state keeps its since, whatever reasons follow`() throws {
    let time = Mutex<Int64>(1)
    let metrics = ModuleMetrics(now: { time.withLock { $0 } })
    for (now, state) in [(1, "failing"), (2, "failing"), (3, "ok"), (4, "ok")] as [(Int64, String)]
    {
      time.withLock { $0 = now }
      let input = #"{"health":[{"component":"db","state":"\#(state)","reason":"\#(now)"}]}"#
      _ = try metrics.answer("report", Array(input.utf8), from: caller).get()
      let part = try #require(metrics.health.first)
      #expect(part.name == "p/db")
      #expect(part.reason == "\(now)")
      #expect(part.since == (now < 3 ? 1 : 3))
    }
  }

  @Test func `health is on the page too, one metric per state`() async throws {
    try report(#"{"health":[{"component":"db","state":"degraded"}]}"#)
    let samples = await registry.page()["bulkhead_module_health"]?.samples ?? []
    #expect(samples.count == 3)
    let set = samples.filter { $0.value == .number(1) }.map { $0.labels["state"] }
    #expect(set == ["degraded"])
  }

  @Test func `a secret is redacted in labels and health`() async throws {
    metrics.redact { $0.replacing("hunter2", with: "***") }
    try report(
      #"{"metrics":[{"name":"g","labels":{"k":"a hunter2"},"set":1}],"#
        + #""health":[{"state":"failing","reason":"hunter2 is refused."}]}"#)
    #expect(metrics.health.first?.reason == "*** is refused.")
    #expect(await value("g", ["k": "a ***", "process": "p"]) == .number(1))
  }

  @Test func `a secret at the place where a reason is cut is redacted too`() throws {
    metrics.redact { $0.replacing("hunter2", with: "***") }
    let reason = String(repeating: "x", count: 497) + "hunter2"
    try report(#"{"health":[{"state":"failing","reason":"\#(reason)"}]}"#)
    #expect(metrics.health.first?.reason == reason.prefix(497) + "***")
  }

  // MARK: Limits

  @Test func `a process has its own limit of series`() throws {
    for hundred in 0..<11 {
      let entries = (0..<100).map {
        #"{"name":"n_total","labels":{"n":"\#(hundred * 100 + $0)"},"add":1}"#
      }
      let answer = try report(#"{"metrics":[\#(entries.joined(separator: ","))]}"#)
      #expect(answer["refused"]?.array?.count == (hundred < 10 ? 0 : 100))
    }
    let other = ServiceCaller("q", module: "my-shop")
    let answer = try report(#"{"metrics":[{"name":"n_total","add":1}]}"#, from: other)
    #expect(answer["refused"] == [])
  }

  @Test func `a process has a limit of metrics and of components`() throws {
    let metrics = (0..<101).map { #"{"name":"g\#($0)","set":1}"# }
    let parts = (0..<51).map { #"{"component":"c\#($0)","state":"ok"}"# }
    let answer = try report(
      #"{"metrics":[\#(metrics.joined(separator: ","))],"health":[\#(parts.joined(separator: ","))]}"#
    )
    #expect(answer["refused"]?.array?.count == 2)
  }

  @Test func `two processes of a module can't use a name for different kinds`() throws {
    try report(#"{"metrics":[{"name":"a","set":1}]}"#)
    let other = ServiceCaller("q", module: "my-shop")
    let answer = try report(#"{"metrics":[{"name":"a","observe":[1]}]}"#, from: other)
    #expect(answer["refused"]?.array?.count == 1)
    let stranger = ServiceCaller("r", module: "other")
    let taken = try report(#"{"metrics":[{"name":"a","observe":[1]}]}"#, from: stranger)
    #expect(taken["refused"] == [])
  }

  @Test func `two modules can't have one name on the page`() async throws {
    let callers = [ServiceCaller("q", module: "a-b"), ServiceCaller("r", module: "a")]
    func name(_ text: String) -> String { #"{"metrics":[{"name":"\#(text)","set":1}]}"# }
    #expect(try report(name("c"), from: callers[0])["refused"] == [])
    #expect(try report(name("b_d"), from: callers[1])["refused"] == [])
    for (text, caller, other) in [("b_c", callers[1], "a-b"), ("d", callers[0], "a")] {
      let refused = try report(name(text), from: caller)["refused"]
      let reason = refused?.array?.first?["reason"]?.string ?? ""
      #expect(reason.contains("which the module \(other) has already."), "\(text): \(reason)")
    }
    // The one who has it goes on.
    #expect(try report(name("c"), from: callers[0])["refused"] == [])
    metrics.ended(callers[0])
    #expect(try report(name("b_c"), from: callers[1])["refused"] == [])
  }

  @Test func `numbers beyond all bounds do no harm`() async throws {
    let answer = try report(
      #"{"metrics":[{"name":"g","set":1e999},{"name":"n_total","add":1e999}]}"#)
    #expect(answer["refused"]?.array?.count == 2)
    for _ in 0..<3 {
      try report(
        #"{"metrics":[{"name":"h","bounds":[1],"counts":[4294967295,4294967295],"sum":1e308}]}"#)
    }
    #expect(await value("h", ["process": "p"]) != nil)
    #expect(
      metrics.answer("report", Array(repeating: 32, count: 2 << 20), from: caller)
        .failure?.code == .invalidArgument)
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { return error }
    return nil
  }
}
