import AgentEvents
import AgentStore
import TestSupport
import Testing

/// Consumers that have acknowledged all their events, and the removal of the events of others.
@Suite(.timeLimit(.minutes(5))) struct IdleConsumerTests {
  private static let none: @Sendable (String) -> EventRetentionRule = {
    EventRetentionRule(type: $0, count: 0)
  }

  @Test func `an idle consumer keeps no events in a full store`() async throws {
    let fixture = try LogFixture()
    let (_, file) = try await fixture.open()
    let store = RefusingStore(file)
    let bus = EventBus(awaitsLog: true, now: { fixture.clock.now })
    try await bus.open(store)
    _ = try await bus.consume("idle", try EventQuery(parsing: "type:rare")) { _ in }
    _ = try await bus.store(numbered(1...5), source: "s")
    try await wait(while: bus.statistics.behind > 0)
    (store.refuses, store.admitsFreeing) = (true, true)
    #expect(try await bus.consumers().map(\.behind) == [0])
    #expect(try await bus.retain(Self.none) == 5)
    #expect(try await bus.consumers().map(\.position) == [5])
    #expect(store.refused == 0)
    await store.close()
  }

  @Test func `events are removed although an idle consumer can't be moved`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    _ = try await bus.consume("idle", try EventQuery(parsing: "type:rare")) { _ in }
    _ = try await bus.store(numbered(1...5), source: "s")
    try await wait(while: bus.statistics.behind > 0)
    // The bus doesn't know of this.
    #expect(try await store.write { try $0.consumers.remove("idle") })
    #expect(try await bus.retain(Self.none) == 5)
    await store.close()
  }
}
