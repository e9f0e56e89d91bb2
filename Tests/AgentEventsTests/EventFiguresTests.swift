import AgentEvents
import AgentJSON
import AgentStore
import Testing

@Suite("Metrics of the event bus")
struct EventFiguresTests {
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
    let figures = bus.figures
    #expect(figures.published == 5)
    #expect(figures.delivered == 5)
    #expect(figures.dropped == 2)
    #expect(figures.subscriptions == 2)
    #expect(figures.waiting == 3)
    #expect(figures.longestQueue == 2)
  }

  @Test func `a subscription's events still count after its end`() throws {
    let subscription = bus.subscribe(
      to: try EventQuery(parsing: "n"), capacity: 1, overflow: .dropNewest
    ) { _ in }
    try publish(3)
    _ = subscription.take(1)
    bus.unsubscribe(subscription)
    bus.unsubscribe(subscription)
    let figures = bus.figures
    #expect(figures.delivered == 1)
    #expect(figures.dropped == 2)
    #expect(figures.subscriptions == 0)
    #expect(figures.waiting == 0)
  }

  @Test func `a durable consumer's lag is what it hasn't acknowledged`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let query = try EventQuery(parsing: "n")
    let consumer = try await bus.consume("c", query) { _ in }
    _ = try await bus.store(numbered(1...3), source: "s")
    #expect(bus.figures.consumerLags == ["c": 3])
    try await bus.acknowledge("c", through: bus.figures.published)
    #expect(bus.figures.consumerLags == ["c": 0])
    bus.unsubscribe(consumer)
    #expect(bus.figures.consumerLags.isEmpty)
    await store.close()
  }
}
