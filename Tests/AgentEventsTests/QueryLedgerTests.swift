import AgentJSON
import AgentQueries
import Testing

@testable import AgentEvents

@Suite struct QueryLedgerTests {
  @Test func `the slowest past queries are kept, slowest first, up to the limit`() {
    var budget = QueryBudget()
    for duration in 1...Int64(QueryBudget.maxKept + 10) {
      let number = budget.begin("q\(duration)", span: nil, at: 1000)
      budget.endPast(number, at: 1000 + duration)
      budget.end(number, at: 5000)
    }
    #expect(budget.slowest.count == QueryBudget.maxKept)
    #expect(budget.slowest.first?.text == "q30")
    #expect(budget.slowest.first?.pastMilliseconds == 30)
    #expect(budget.slowest.last?.text == "q11")
    #expect(budget.slowest.first?.endedAt == 5000)
    #expect(budget.running.isEmpty)
  }

  @Test func `running queries are listed in the order of their start`() {
    var budget = QueryBudget()
    let first = budget.begin("a", span: "last 5 minutes", at: 1)
    _ = budget.begin("b", span: nil, at: 2)
    #expect(budget.running.map(\.text) == ["a", "b"])
    #expect(budget.running.map(\.endedAt) == [nil, nil])
    budget.end(first, at: 3)
    #expect(budget.running.map(\.text) == ["b"])
  }

  @Test func `a clock that is set back makes no negative time, and a long text is cut`() {
    var budget = QueryBudget()
    let number = budget.begin(String(repeating: "x", count: 10_000), span: nil, at: 100)
    budget.endPast(number, at: 50)
    budget.end(number, at: 40)
    budget.end(number, at: 40)
    #expect(budget.slowest.map(\.pastMilliseconds) == [0])
    #expect(budget.slowest[0].text.count == QueryCost.longestText)
  }

  @Test func `past queries and searches are recorded with their costs`() async throws {
    let moment = Moment(1000)
    let bus = EventBus(now: { moment.now })
    try bus.publish([["type": "a", "n": 1], ["type": "b"]], source: "s")
    moment.now = 2000
    let plan = try QueryPlan(Query(parsing: "type:a => count()"))
    _ = try await bus.run(plan, span: try QuerySpan(parsing: "last 5 minutes").past) { message in
      #expect(bus.queryCosts.running.map(\.text) == ["type:a => count()"])
      moment.now += 7
      _ = message
    }
    _ = try await bus.events(matching: try EventQuery(parsing: "type:b"))
    let slowest = bus.queryCosts.slowest
    #expect(bus.queryCosts.running.isEmpty)
    #expect(slowest.map(\.text) == ["type:a => count()", "type:b"])
    #expect(slowest[0].pastMilliseconds > 0)
    #expect(slowest[0].stages.contains { $0.rowsIn == 1 })
    #expect(slowest[0].span != nil && slowest[1].span == nil)
  }

  @Test func `subscriptions are listed by query, the fullest first`() throws {
    let bus = EventBus(now: { 5 })
    let ask = try EventQuery(parsing: "type:a")
    let first = bus.subscribe(to: ask) { _ in }
    _ = bus.subscribe(to: ask) { _ in }
    _ = bus.subscribe(to: try EventQuery(parsing: "type:b")) { _ in }
    try bus.publish([["type": "a"], ["type": "a"], ["type": "b"]], source: "s")
    _ = first.take(10)
    #expect(
      bus.audiences == [
        .init(text: "type:a", subscriptions: 2, maxWaiting: 2, behind: 0),
        .init(text: "type:b", subscriptions: 1, maxWaiting: 1, behind: 0),
      ])
  }
}
