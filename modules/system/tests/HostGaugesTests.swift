import AgentKit
import AgentKitTesting
import Testing

@testable import SystemModule

@Suite struct HostGaugesTests {
  private func run(_ metrics: [Metric]) async throws -> TestHost {
    let host = TestHost(clock: TestClock(leaps: true))
    let source = HostMetrics(
      settings: .init(
        interval: 5, metrics: metrics, top: 0, mounts: ["/"], interfaces: [],
        eventType: "host_metrics"), host: host.host)
    try await host.run(source, untilPublished: 2)
    return host
  }

  @Test func `the machine's numbers are metrics of the agent, too`() async throws {
    let host = try await run([.memory, .load, .disks])
    let total = try #require(host.metric("memory_total_bytes"))
    let used = try #require(host.metric("memory_used_bytes"))
    #expect(used > 0 && used <= total)
    let disk = try #require(host.metric("disk_used_ratio", ["mount": "/"]))
    #expect((0...1).contains(disk))
    #expect(host.metric("load_one") != nil)
    #expect(host.metric("samples_total") ?? 0 >= 2)
    #expect(host.health() == .init(state: .ok, reason: nil))
    #expect(host.logs.isEmpty)
  }

  @Test func `a metric that isn't measured isn't shown`() async throws {
    let host = try await run([.load])
    #expect(host.metric("memory_total_bytes") == nil)
    #expect(host.metric("disk_used_ratio", ["mount": "/"]) == nil)
  }
}
