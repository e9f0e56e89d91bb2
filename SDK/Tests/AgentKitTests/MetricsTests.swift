import AgentJSON
import CAgentModule
import Synchronization
import Testing

@testable import AgentKit
@testable import AgentKitTesting

@Suite struct MetricsTests {
  private let test = TestHost(process: "p")
  private var metrics: Metrics { test.host.metrics }

  @Test func `a counter adds up, whoever holds it`() async {
    let orders = metrics.counter("orders_total", help: "Orders.", labels: ["kind": "web"])
    orders.add()
    orders.add(2.5)
    orders.add(-4)
    orders.add(.nan)
    #expect(test.metric("orders_total", ["kind": "web"]) == 3.5)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let same = metrics.counter("orders_total", labels: ["kind": "web"])
          for _ in 0..<1000 { same.add() }
        }
      }
    }
    #expect(test.metric("orders_total", ["kind": "web"]) == 8003.5)
    #expect(test.metric("orders_total") == nil)
  }

  @Test func `a gauge has the value last set`() {
    let depth = metrics.gauge("depth")
    depth.set(3)
    depth.add(-5)
    depth.set(.infinity)
    #expect(test.metric("depth") == -2)
    depth.set(0)
    #expect(test.metric("depth") == 0)
  }

  @Test func `a histogram counts values and durations`() {
    let wait = metrics.histogram("wait_seconds")
    wait.observe(0.25)
    wait.observe(.milliseconds(1500))
    #expect(test.histogram("wait_seconds")?.count == 2)
    #expect(test.histogram("wait_seconds")?.sum == 1.75)
    wait.observe(3)
    #expect(test.histogram("wait_seconds")?.sum == 4.75)
  }

  @Test func `health is the state last reported`() {
    let health = test.host.health
    #expect(test.health() == nil)
    health.report(.ok)
    health.report(.failing, "No route to db1.", for: "database")
    health.report(.degraded, "It is slow.", for: "database")
    #expect(test.health() == .init(state: .ok, reason: nil))
    #expect(test.health(of: "database") == .init(state: .degraded, reason: "It is slow."))
  }

  @Test func `a metric that the host refuses is logged once`() async {
    metrics.gauge("a").set(1)
    metrics.flush()
    for _ in 0..<3 {
      metrics.histogram("a").observe(1)
      metrics.flush()
    }
    while test.logs.isEmpty { await Task.yield() }
    #expect(
      test.logs.map(\.message) == [
        "metrics/1: \"a\" is a gauge already, and can't be a histogram."
      ])
    #expect(test.metric("a") == 1)
  }

  @Test func `unbounded labels don't fill the memory`() {
    for number in 0..<1200 { metrics.counter("n_total", labels: ["n": "\(number)"]).add() }
    #expect(test.metric("n_total", ["n": "999"]) == 1)
    #expect(test.metric("n_total", ["n": "1000"]) == nil)
    #expect(test.logs.filter { $0.message.contains("1000 metrics") }.count == 1)
  }

  // MARK: Through the interface

  @Test func `one report carries all changes, and nothing is reported twice`() throws {
    let fake = FakeHost()
    let host = AgentHost(CHost(fake.table))
    let orders = host.metrics.counter("orders_total", help: "Orders.")
    for _ in 0..<5 { orders.add() }
    host.metrics.histogram("size", bounds: [1, 10]).observe(4)
    host.metrics.flush()
    host.metrics.flush()
    orders.add()
    host.metrics.flush()
    let inputs = fake.state.withLock { $0.calls.map(\.input) }
    try #require(inputs.count == 2)
    #expect(
      try JSONValue(parsing: inputs[0]) == [
        "metrics": [
          ["name": "orders_total", "help": "Orders.", "add": 5],
          ["name": "size", "bounds": [1, 10], "counts": [0, 1, 0], "sum": 4],
        ]
      ])
    #expect(
      try JSONValue(parsing: inputs[1]) == [
        "metrics": [["name": "orders_total", "help": "Orders.", "add": 1]]
      ])
    for _ in inputs { fake.answer(#"{"refused":[]}"#) }
  }

  @Test func `health is reported at once, but only when it changes`() {
    let fake = FakeHost()
    let health = AgentHost(CHost(fake.table)).health
    for _ in 0..<5 { health.report(.failing, "No route.", for: "db") }
    #expect(
      fake.state.withLock { $0.calls.map(\.input) } == [
        #"{"health":[{"state":"failing","component":"db","reason":"No route."}]}"#
      ])
    fake.answer(#"{"refused":[]}"#)
  }

  @Test func `pending metrics are reported before a stop is answered`() async throws {
    let host = FakeHost()
    let instance = try FakeInstance("measured", of: fixtures, host: host)
    _ = instance.start()
    let stopped = instance.stop()
    #expect(await stopped.result.status == agent_status(AGENT_OK))
    let input = try #require(host.state.withLock { $0.calls.first?.input })
    #expect(
      try JSONValue(parsing: input)["metrics"] == [
        ["name": "runs_total", "add": 1],
        ["name": "depth", "labels": ["side": "left"], "set": 2],
      ])
    host.answer("{}")
    instance.destroy()
  }

  // MARK: What every implementation answers

  private static let suites = Conformance.suites("metrics")

  @Test func `the conformance suites exist`() { #expect(Self.suites.count > 4) }

  @Test(arguments: suites.keys.sorted())
  func `the test's host answers metrics calls as every implementation does`(_ suite: String)
    async throws
  {
    let services = TestHost.Services(state: test.state, clock: test.clock)
    for step in Self.suites[suite] ?? [] {
      do {
        let answer = try await services.call(
          "metrics/1", method: step["method"]?.string ?? "", input: (step["input"] ?? .null).bytes()
        )
        #expect(try JSONValue(parsing: answer) == step["answer"], "\(step)")
      } catch let error as ModuleError {
        #expect(Conformance.names[error.code] == step["error"]?.string, "\(step): \(error)")
        #expect(error.message.contains(step["says"]?.string ?? ""), "\(step): \(error)")
      }
      for shown in step["shows"]?.array ?? [] { check(shown) }
      for part in step["health"]?.array ?? [] {
        let health = test.health(of: part["component"]?.string)
        #expect(health?.state.rawValue == part["state"]?.string)
        #expect(health?.reason == part["reason"]?.string)
      }
    }
  }

  private func check(_ shown: JSONValue) {
    let name = shown["name"]?.string ?? ""
    let labels = (shown["labels"]?.object ?? [:]).reduce(into: [String: String]()) {
      $0[$1.key] = $1.value.string
    }
    if let value = shown["value"]?.double {
      #expect(test.metric(name, labels) == value, "\(shown)")
    } else {
      let histogram = test.histogram(name, labels)
      #expect(histogram?.count == shown["count"]?.int, "\(shown)")
      #expect(abs((histogram?.sum ?? 0) - (shown["sum"]?.double ?? 0)) < 1e-9, "\(shown)")
    }
  }
}
