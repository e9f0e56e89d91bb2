import AgentJSON
import AgentKit
import AgentKitTesting
import Testing

@Suite struct QueryRowsTests {
  private let host = TestHost()

  @Test func `rows come in order, with their moments, until the query ends`() async throws {
    let rows = host.host.events.query("trade => count() every second", span: "last minute")
    async let taken = rows.reduce(into: []) { $0.append($1) }
    let asked = await host.queried()
    #expect(asked.map(\.text) == ["trade => count() every second"])
    #expect(asked.map(\.span) == ["last minute"])
    host.give(["count": 1], ["count": 2, "timestamp": 7])
    host.say(.warning("One event came too late."))
    host.clock.advance(by: .seconds(1))
    host.give(["count": 3])
    host.endQueries()
    let all = try await taken
    #expect(all.map(\.timestamp) == [1_700_000_000_000, 7, 1_700_000_001_000])
    #expect(all.map { $0["count"]?.int } == [1, 2, 3])
  }

  @Test func `messages say what happens to the query beside its rows`() async throws {
    let messages = host.host.events.query("trade", span: "today").messages
    async let taken = messages.reduce(into: []) { $0.append($1) }
    await host.queried()
    let said: [QueryMessage] = [
      .span(begin: 1, end: 2), .endHistory, .startRealTime,
      .rows(.init(timestamp: 5, rows: [.init(timestamp: 5, values: ["timestamp": 5])])),
      .rows(.init(timestamp: 6, rows: [], sketches: ["median"])), .warning("Late."),
    ]
    for message in said { host.say(message) }
    host.endQueries()
    #expect(
      try await taken
        == [.start(columns: nil)] + said + [.stop(reason: "EndOfSpan"), .destroy])
  }

  @Test func `a message of a later version is skipped`() {
    #expect(QueryMessage(Event("pause")) == nil)
  }
}
