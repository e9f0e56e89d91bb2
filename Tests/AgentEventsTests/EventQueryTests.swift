import AgentEvents
import AgentJSON
import AgentQueries
import Testing

struct EventQueryTests {
  private func event(_ object: JSONObject) async throws -> Event {
    let bus = EventBus(now: { 1_000 })
    return try #require(try await bus.store([object], source: "test").first)
  }

  @Test(arguments: [
    ("trades", true), ("TRADES", true), ("*", true), ("quotes", false), ("type:trades", true),
    ("trades pair:XBT", true), ("trades pair:xbt", true), ("pair:XBT", true),
    ("trades pair:ETH", false), ("* amount:2.50", true), ("* amount:2.51", false),
    ("* user.name:\"Ann B\"", true), ("* user.name:Ann", false),
    ("* tags:b", true), ("* missing:*", false), ("* pair:*", true), ("* live:true", true),
  ])
  func `a query matches by type and by field`(query: String, expected: Bool) async throws {
    let event = try await event([
      "type": "trades", "pair": "XBT", "amount": 2.5, "user": ["name": "Ann B"],
      "tags": ["a", "b"], "live": true,
    ])
    #expect(try EventQuery(parsing: query).matches(event) == expected)
  }

  @Test(arguments: [("trades => count()", 11), ("trades pair:", 13), ("trades x:\"open", 10)])
  func `a text that isn't a filter is refused with its position`(query: String, column: Int) throws
  {
    let error = try #require(throws: QueryError.self) { try EventQuery(parsing: query) }
    #expect(error.place.column == column, "\(error)")
  }

  @Test func `a member whose name has a dot wins over a nested one`() async throws {
    let event = try await event(["type": "t", "a.b": 1, "a": ["b": 2]])
    #expect(event.field("a.b") == 1)
  }

  @Test(arguments: [
    ("n => count() as n every minute", 1_000), ("n => count() as n every 200 milliseconds", 695),
  ])
  func `a live query sleeps until it is due, a second at most`(
    text: String, milliseconds: Int
  ) async throws {
    let (pauses, source) = AsyncStream.makeStream(of: Duration.self)
    let bus = EventBus(
      pause: {
        source.yield($0)
        // Until the query ends.
        try await Task.sleep(for: .seconds(3_600))
      }, now: { 5 })
    let outputs = bus.outputs(of: try QueryPlan(Query(parsing: text)))
    let reading = Task { while try await outputs.next() != nil {} }
    var iterator = pauses.makeAsyncIterator()
    #expect(await iterator.next() == .milliseconds(milliseconds))
    outputs.end()
    try await reading.value
  }

  @Test func `a live query reports its cost so far on request`() async throws {
    // Each look at the clock is a second later, and a pause is short.
    let clock = Moment(1_000)
    let bus = EventBus(
      pause: { _ in try await Task.sleep(for: .milliseconds(1)) },
      now: {
        clock.now += 1_000
        return clock.now
      })
    let outputs = bus.outputs(
      of: try QueryPlan(Query(parsing: "n => count() every 1000 days")), reportingCosts: 2_000)
    var rows: UInt64 = 0
    while rows < 2, let element = try await outputs.next() {
      switch element {
      case .message(.startRealTime):
        try bus.publish([["type": "n"], ["type": "n"], ["type": "m"]], source: "test")
      case .statistics(let stages): rows = stages.first?.rowsIn ?? 0
      case .message: break
      }
    }
    #expect(rows == 2)
    outputs.end()
  }
}
