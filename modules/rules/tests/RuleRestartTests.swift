import AgentKit
import AgentKitTesting
import Testing

@testable import RulesModule

/// No alarm is missed and none is said twice over crashes, reloads and restarts.
@Suite(.timeLimit(.minutes(1))) struct RuleRestartTests {
  private let host = TestHost(process: "watch")

  private func monitor(_ more: JSONObject = [:]) throws -> RuleMonitor {
    var settings: JSONObject = [
      "name": "err", "query": "error", "message": "{n}", "cooldown_seconds": 0,
    ]
    for (key, value) in more { settings[key] = value }
    return RuleMonitor(
      settings: try JSONValue.object(settings).decode(RuleProcessSettings.self), host: host.host)
  }

  private func texts(_ events: [Event]) -> [JSONValue?] { events.map { $0["text"] } }

  private func place() async throws -> String? {
    try await host.kept.get("place/err")?.object?["mark"]?.string
  }

  @Test func `a new rule starts now and stores its position before any row`() async throws {
    let run = Task { [monitor = try monitor()] in try await monitor.run() }
    #expect(await host.queried().map(\.after) == ["now"])
    host.say(.mark("p7"))
    while try await place() != "p7" { await Task.yield() }
    run.cancel()
    _ = await run.result
  }

  @Test func `a restarted rule continues after the last row`() async throws {
    let first = try monitor()
    async let before = host.run(first, untilPublished: 2)
    await host.queried()
    host.give(["n": 1], mark: "p1")
    host.give(["n": 2], mark: "p2")
    #expect(texts(try await before) == ["1", "2"])
    #expect(try await place() == "p2")

    let second = try monitor(["message": "again {n}"])
    async let after = host.run(second, untilPublished: 3)
    #expect(await host.queried().map(\.after) == ["now", "p2"])
    host.give(["n": 3], mark: "p3")
    #expect(texts(try await after).last == "again 3")
  }

  @Test func `an alert published before its state was stored isn't published again`() async throws {
    let first = try monitor()
    async let before = host.run(first, untilPublished: 1)
    await host.queried()
    host.say(.mark("p0"))
    host.give(["n": 1], mark: "p1")
    _ = try await before
    let second = try monitor()
    let crashed = Task { try await second.run() }
    await host.queried()
    // The host dies before the state is written, and behind the event.
    host.refuseStateWrites(with: ModuleError(.failed, "The host has gone."))
    host.give(["n": 2], mark: "p2")
    _ = await host.published(atLeast: 2)
    crashed.cancel()
    _ = await crashed.result
    host.refuseStateWrites(with: nil)
    #expect(try await place() == "p1")

    let third = try monitor()
    async let after = host.run(third, untilPublished: 3)
    await host.queried()
    #expect(host.queries.last?.after == "p1")
    host.give(["n": 2], mark: "p2")
    host.give(["n": 3], mark: "p3")
    #expect(texts(try await after) == ["1", "2", "3"])
  }

  @Test func `an event taken but not published comes again`() async throws {
    let first = try monitor()
    let run = Task { try await first.run() }
    await host.queried()
    host.say(.mark("p0"))
    while try await place() != "p0" { await Task.yield() }
    host.refusePublishing(with: ModuleError(.failed, "The host has gone."))
    host.give(["n": 1], mark: "p1")
    await #expect(throws: ModuleError.self) { try await run.value }
    #expect(try await place() == "p0")
    host.refusePublishing(with: nil)

    let second = try monitor()
    async let after = host.run(second, untilPublished: 1)
    await host.queried()
    #expect(host.queries.last?.after == "p0")
    host.give(["n": 1], mark: "p1")
    #expect(texts(try await after) == ["1"])
  }

  @Test func `a rule's waiting time continues over a restart`() async throws {
    let more: JSONObject = ["for_seconds": 10, "condition": "n > 0"]
    let first = try monitor(more)
    let run = Task { try await first.run() }
    await host.queried()
    host.give(["n": 1, "timestamp": 1_000, "__holds": true], mark: "p1")
    while try await place() != "p1" { await Task.yield() }
    run.cancel()
    _ = await run.result

    let second = try monitor(more)
    async let after = host.run(second, untilPublished: 1)
    await host.queried()
    host.give(["n": 2, "timestamp": 11_000, "__holds": true], mark: "p2")
    #expect(texts(try await after) == ["2"])
  }

  @Test func `another rule's causes don't count for this one`() async throws {
    let other = TestHost(process: "other")
    for host in [host, other] {
      let monitor = RuleMonitor(
        settings: try JSONValue.object(["query": "q", "message": "{n}", "cooldown_seconds": 0])
          .decode(RuleProcessSettings.self), host: host.host)
      async let events = host.run(monitor, untilPublished: 1)
      await host.queried()
      host.give(["n": 1], mark: "p1")
      _ = try await events
    }
    let causes = (host.published + other.published).compactMap { $0["cause"]?.string }
    #expect(causes.count == 2 && causes.allSatisfy { $0.hasSuffix("/p1/[]/raised") })
    #expect(Set(causes).count == 2)
  }

  @Test func `reordered rows of one moment aren't reported again`() async throws {
    let more: JSONObject = ["by": ["k"], "message": "{k}"]
    let first = try monitor(more)
    let run = Task { try await first.run() }
    await host.queried()
    host.say(.mark("t0"))
    while try await place() != "t0" { await Task.yield() }
    host.refuseStateWrites(with: ModuleError(.failed, "The host has gone."))
    host.give(["k": "a"], ["k": "b"], mark: "t1000")
    _ = await host.published(atLeast: 2)
    run.cancel()
    _ = await run.result
    host.refuseStateWrites(with: nil)

    let second = try monitor(more)
    async let after = host.run(second, untilPublished: 3)
    await host.queried()
    host.give(["k": "c"], ["k": "b"], ["k": "a"], mark: "t1000")
    #expect(texts(try await after) == ["a", "b", "c"])
  }

  @Test func `a query that exceeds its memory ends the rule`() async throws {
    let run = Task { [monitor = try monitor()] in try await monitor.run() }
    await host.queried()
    host.say(.stop(reason: "Limit"))
    await #expect {
      try await run.value
    } throws: { ($0 as? ModuleError)?.code == .overloaded }
  }

  @Test func `a clock set forward doesn't resolve a raised alert`() async throws {
    let monitor = try monitor(["resolve": true, "silence_seconds": 60])
    let run = Task { try await monitor.run() }
    await host.queried()
    host.give(["n": 1], mark: "p1")
    _ = await host.published(atLeast: 1)
    await host.clock.someoneSleeps()
    host.clock.advance(by: .seconds(3_600))
    await host.clock.someoneSleeps()
    #expect(host.published.count == 1)
    run.cancel()
    _ = await run.result
  }
}
