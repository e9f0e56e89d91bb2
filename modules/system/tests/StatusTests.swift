import AgentKit
import AgentKitTesting
import Testing

@testable import SystemModule

@Suite struct StatusTests {
  static let values: JSONObject = [
    "cpu": ["busy": 83.4, "count": 8], "load": ["one": 7.25],
    "memory": ["used_percent": 61, "total": 34_359_738_368],
    "processes": ["top": [["name": "swiftc", "cpu": 240.0]]],
  ]

  @Test func `status is answered from the latest event`() async throws {
    let host = TestHost()
    let adapter = SystemStatus(
      settings: .init(query: "host_metrics", window: 60), host: host.host)
    host.inject(
      Event("host_metrics", timestamp: host.clock.now - 5_000, fields: ["cpu": ["busy": 1]]),
      Event("host_metrics", timestamp: host.clock.now - 2_000, fields: Self.values))
    let answer = try await adapter.respond(to: Statement("How busy is the machine?"))
    #expect(answer?.confidence == 0.95)
    #expect(
      answer?.text
        == "The machine is busy. CPU 83.4 % of 8, load 7.3. Memory 61 % of 32 GB. "
        + "Busiest: swiftc 240 %. Measured 2 seconds ago.")
    let disk = try await adapter.respond(to: Statement("how full is the disk?"))
    #expect(disk?.text == "That is not among the values that I have.")
  }

  @Test func `an answer without recent metrics says that there are none`() async throws {
    let host = TestHost()
    let adapter = SystemStatus(
      settings: .init(query: "host_metrics", window: 60), host: host.host)
    host.inject(Event("host_metrics", timestamp: host.clock.now - 61_000, fields: Self.values))
    let answer = try await adapter.respond(to: Statement("how busy is the machine?"))
    #expect(answer?.text.hasPrefix("I have no values of the last 60 seconds.") == true)
    #expect(answer?.data == nil)
  }

  @Test func `a statement that isn't about the machine isn't answered`() {
    for text in ["hello", "the server room is painted", "are you busy being silly, Ada", ""] {
      let recognized = Topic.recognize(Statement(text))
      #expect((recognized?.confidence ?? 0) < 0.5, "\(text)")
    }
    #expect(Topic.recognize(Statement("memory?"))?.topic == .memory)
    #expect(Topic.recognize(Statement("show me the load of this server"))?.confidence == 0.95)
  }

  @Test func `the datasource publishes the configured metrics and no others`() async throws {
    let host = TestHost(process: "machine", clock: TestClock(leaps: true))
    let settings = HostMetrics.Settings(
      interval: 1, metrics: [.load, .memory, .processes], top: 2, mounts: [], interfaces: [],
      eventType: "host_metrics")
    let events = try await host.run(
      HostMetrics(settings: settings, host: host.host), untilPublished: 2)
    let event = try #require(events.last)
    #expect(event.source == "machine")
    #expect(Set(event.fields.keys) == ["interval_ms", "load", "memory", "processes"])
    #expect(event["interval_ms"] == 1000)
    #expect((event["memory.total"]?.double ?? 0) > 0)
    #expect(event["processes.top"]?.array?.count == 2)
  }
}
