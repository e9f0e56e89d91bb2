import AgentEvents
import AgentJSON
import AgentQueries
import AgentStore
import Testing

/// Events that are stored in the transaction of a change.
@Suite struct TransactionEventTests {
  private struct Refused: Error {}

  private static func event(_ number: Int) -> JSONObject {
    ["type": "n", "n": JSONValue(number)]
  }

  @Test func `a transaction's events are delivered in order of position among those of the commit`()
    async throws
  {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let collector = Collector()
    let subscription = bus.subscribe(to: try EventQuery(parsing: "*")) { collector.take($0) }
    // All of them wait behind a write that takes a while: they are one commit.
    async let slow: Void = store.write { _ in for _ in 0..<200_000 { _ = Self.event(1) } }
    for number in 1...40 {
      if number.isMultiple(of: 2) {
        store.submit(.savepoint) {
          try bus.append([Self.event(number)], source: "agent", to: $0)
        } completion: { (_: Result<Void, any Error>) in
        }
      } else {
        try bus.publish([Self.event(number)], source: "s")
      }
    }
    try await slow
    await collector.wait(for: 40)
    #expect(collector.numbers == Array(1...40))
    bus.unsubscribe(subscription)
    await store.close()
  }

  @Test func `a change that isn't stored leaves no event`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    await #expect(throws: Refused.self) {
      try await store.write { transaction in
        try bus.append([Self.event(1)], source: "agent", to: transaction)
        throw Refused()
      }
    }
    try await store.write { try bus.append([Self.event(2)], source: "agent", to: $0) }
    let kept = try await bus.events(matching: try EventQuery(parsing: "*")).events
    #expect(kept.compactMap { $0.field("n")?.int } == [2])
    await store.close()
  }
}
