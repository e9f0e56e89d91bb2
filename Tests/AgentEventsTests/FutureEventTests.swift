import AgentEvents
import AgentJSON
import AgentStore
import Testing

/// Events with a time of the future, from a device whose clock is wrong.
@Suite(.timeLimit(.minutes(5))) struct FutureEventTests {
  private static let day: Int64 = 86_400_000

  @Test func `events from the future hide no clock that jumped while no host ran`() async throws {
    let fixture = try LogFixture()
    let (first, store) = try await fixture.open()
    let future: JSONObject = [
      "type": "n", "timestamp": JSONValue(fixture.clock.now + 4_000 * Self.day),
    ]
    _ = try await first.store(numbered(1...5) + [future], source: "s")
    await store.close()
    fixture.clock.jump(by: 400 * Self.day)
    let (bus, reopened) = try await fixture.open()
    #expect(!bus.trustsClock)
    #expect(try await bus.retain { EventRetentionRule(type: $0, age: Self.day) } == 0)
    await reopened.close()
  }
}
