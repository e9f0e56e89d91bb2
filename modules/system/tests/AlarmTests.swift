import AgentKit
import AgentKitTesting
import Testing

@testable import SystemModule

@Suite struct AlarmTests {
  static func state(
    hysteresis: Double = 0, patience: Int64 = 0, cooldown: Int64 = 0
  ) -> AlarmState {
    AlarmState(
      comparison: .above, threshold: 90, hysteresis: hysteresis, patience: patience,
      cooldown: cooldown)
  }

  @Test func `an alarm waits until its condition has held without a break`() {
    var state = Self.state(patience: 10_000)
    #expect(state.observe(95, at: 0) == nil)
    #expect(state.observe(80, at: 5_000) == nil)
    #expect(state.observe(95, at: 6_000) == nil)
    #expect(state.observe(95, at: 15_999) == nil)
    #expect(state.observe(95, at: 16_000) == .raised(since: 6_000))
    #expect(state.observe(99, at: 17_000) == nil)
    #expect(state.observe(90, at: 18_000) == .resolved(since: 6_000))
  }

  @Test func `a value that swings within the margin raises one alert`() {
    var state = Self.state(hysteresis: 10)
    #expect(state.observe(91, at: 0) == .raised(since: 0))
    #expect(state.observe(85, at: 1) == nil)
    #expect(state.observe(91, at: 2) == nil)
    #expect(state.observe(80, at: 3) == .resolved(since: 0))
  }

  @Test func `an alert waits for the cooldown after another, then is raised if it still holds`() {
    var state = Self.state(cooldown: 60_000)
    #expect(state.observe(95, at: 0) == .raised(since: 0))
    #expect(state.observe(10, at: 1_000) == .resolved(since: 0))
    #expect(state.observe(95, at: 2_000) == nil)
    #expect(state.observe(95, at: 60_000) == .raised(since: 2_000))
  }

  @Test func `times at the ends of the range don't trap`() {
    var state = Self.state(patience: 1)
    #expect(state.observe(95, at: .max) == nil)
    _ = state.observe(95, at: .min)
  }

  @Test func `the monitor publishes changes and posts them in the room`() async throws {
    let host = TestHost(process: "busy")
    let settings = ResourceAlarm.Settings(
      query: "host_metrics", field: "cpu.busy", comparison: .above, threshold: 90, patience: 10,
      hysteresis: 5, cooldown: 0, severity: .critical,
      output: Output(author: .init(name: "System"), room: .init(id: "operations")))
    let alarm = ResourceAlarm(settings: settings, host: host.host)
    async let events = host.run(alarm, untilPublished: 4)
    await host.subscribed()
    for (busy, time) in [(95.0, 0), (97.25, 10_000), (98, 11_000), (60, 12_000)] {
      host.inject(
        Event("host_metrics", timestamp: Int64(time), fields: ["cpu": ["busy": JSONValue(busy)]]),
        Event("other", fields: ["cpu": ["busy": 100]]))
    }
    let published = try await events
    #expect(published.map(\.type) == ["alert", "__message", "alert", "__message"])
    #expect(published.map { $0["state"]?.string } == ["raised", nil, "resolved", nil])
    #expect(published[0]["text"] == "cpu.busy is 97.3: above 90 for 10 s.")
    #expect(published[0]["severity"] == "critical")
    #expect(published[2]["severity"] == "critical")
    #expect(published[1]["room"] == ["id": "operations"])
    #expect(published[1]["message"] == published[0]["text"])
  }
}
