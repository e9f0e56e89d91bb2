import AgentBots
import AgentStore
import AgentTasks
import AgentTasksTesting
import Testing

/// Bots whose heartbeats stop, on clocks that are set, by an hour or by a moment.
@Suite struct SilentBotTests {
  @Test(arguments: [3_600_000, -3_600_000, -300, 315_360_000_000] as [Int64])
  func `no bot is silent because a clock was set`(_ jump: Int64) async throws {
    let test = try await DispatcherUnderTest.started { $0.heartbeatTimeout = 10_000 }
    try await test.register("b1")
    _ = try await test.dispatcher.heartbeat("b1")
    test.engine.clock.step(jump)
    test.engine.clock.advance(3_000)
    _ = try await test.engine.create(type: "bots")
    _ = try await test.offer(to: "b1")
    #expect(test.count("bot_offline") == 0)
    _ = try await test.publishedEvents("bot_offline", step: 500)
    await test.remove()
  }
}
