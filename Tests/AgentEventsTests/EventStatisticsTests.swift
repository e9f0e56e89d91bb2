import AgentEvents
import AgentJSON
import AgentStore
import Testing

@Suite("Metrics of the event bus")
struct EventStatisticsTests {
  private let bus = EventBus(now: { 5 })

  private func publish(_ count: Int) throws {
    try bus.publish((0..<count).map { ["type": "n", "n": JSONValue($0)] }, source: "s")
  }

  @Test func `each consumer's delivered, waiting and lost events are counted`() throws {
    let query = try EventQuery(parsing: "n")
    let small = bus.subscribe(to: query, capacity: 3, overflow: .dropOldest) { _ in }
    let large = bus.subscribe(to: query) { _ in }
    try publish(5)
    _ = large.take(4)
    _ = small.take(1)
    let statistics = bus.statistics
    #expect(statistics.published == 5)
    #expect(statistics.delivered == 5)
    #expect(statistics.dropped == 2)
    #expect(statistics.subscriptions == 2)
    #expect(statistics.waiting == 3)
    #expect(statistics.longestQueue == 2)
  }

  @Test func `the bytes of queues are counted beside their limits`() throws {
    let query = try EventQuery(parsing: "n")
    let (one, other) = (bus.subscribe(to: query) { _ in }, bus.subscribe(to: query) { _ in })
    try publish(3)
    _ = other.take(3)
    let statistics = bus.statistics
    #expect((1..<1_000).contains(statistics.waitingBytes))
    #expect(statistics.maxWaitingBytes == 2 * EventSubscription.maxBytes)
    #expect(bus.memory.bytes == 0)
    withExtendedLifetime(one) {}
  }

  @Test func `a subscription's events still count after its end`() throws {
    let subscription = bus.subscribe(
      to: try EventQuery(parsing: "n"), capacity: 1, overflow: .dropNewest
    ) { _ in }
    try publish(3)
    _ = subscription.take(1)
    bus.unsubscribe(subscription)
    bus.unsubscribe(subscription)
    let statistics = bus.statistics
    #expect(statistics.delivered == 1)
    #expect(statistics.dropped == 2)
    #expect(statistics.subscriptions == 0)
    #expect(statistics.waiting == 0)
  }

  @Test func `a durable consumer's lag is what it hasn't acknowledged`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let query = try EventQuery(parsing: "n")
    let consumer = try await bus.consume("c", query) { _ in }
    _ = try await bus.store(numbered(1...3), source: "s")
    #expect(bus.statistics.consumerLags == ["c": 3])
    try await bus.acknowledge("c", through: bus.statistics.published)
    #expect(bus.statistics.consumerLags == ["c": 0])
    bus.unsubscribe(consumer)
    #expect(bus.statistics.consumerLags.isEmpty)
    await store.close()
  }
}
