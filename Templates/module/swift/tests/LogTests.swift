import AgentKit
import AgentKitTesting
import Testing

@testable import {{Name}}

@Suite struct LogTests {
  @Test func `the lines of a file are published with their levels`() async throws {
    let host = TestHost()
    let sample = #filePath.replacing("tests/LogTests.swift", with: "sample.log")
    let source = LogFile(
      settings: .init(path: sample, from: .start, pause: 10, errorWords: ["error", "fatal"]),
      host: host.host)
    let events = try await host.run(source, untilPublished: 3)
    #expect(events.prefix(3).map { $0["level"]?.string } == ["info", "error", "info"])
  }

  @Test func `errors that come too fast raise one alert`() async throws {
    let host = TestHost()
    let monitor = ErrorRate(
      settings: .init(query: "log_line level:error", count: 3, window: 60, cooldown: 60),
      host: host.host)
    async let alerts = host.run(monitor, untilPublished: 1)
    await host.subscribed()
    for time in [0, 50_000, 70_000, 80_000, 90_000] as [Int64] {
      host.inject(Event("log_line", timestamp: time, fields: ["level": "error", "line": "bad"]))
    }
    #expect(try await alerts.first?["text"] == "3 errors within 60 seconds. The last: bad")
  }

  @Test func `it says how many errors there were`() async throws {
    let host = TestHost()
    let adapter = ErrorCount(settings: .init(query: "log_line level:error"), host: host.host)
    for age in [1, 200, 400] as [Int64] {
      host.inject(
        Event(
          "log_line", timestamp: host.clock.now - age * 1000,
          fields: ["level": "error", "line": "disk full"]))
    }
    let answer = try await adapter.respond(to: Statement("How many errors in the last 5 minutes?"))
    #expect(answer?.confidence == 0.95)
    #expect(answer?.text == "2 errors in the last 5 minutes. The latest: disk full")
    #expect(try await adapter.respond(to: Statement("how are you?")) == nil)
  }
}
