import AgentJSON
import AgentQueries
import Synchronization
import Testing

@testable import AgentEvents

@Suite struct QueryExecutorTests {
  @Test func `a query computes on the executor of queries`() async throws {
    let executor = QueryExecutor(threads: 1)
    let bus = EventBus(queries: executor, now: { 1000 })
    try bus.publish([["type": "a"]], source: "s")
    let plan = try QueryPlan(Query(parsing: "*"))
    let span = try QuerySpan(parsing: "last 5 minutes").past
    let isThere = Atomic(false)
    try await bus.run(plan, span: span) { _ in
      let current = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
      isThere.store(current == executor.asUnownedTaskExecutor(), ordering: .relaxed)
    }
    let wasThere = isThere.load(ordering: .relaxed)
    #expect(wasThere)
  }

  @Test func `a query whose reader has gone ends after the row that it processes`() async throws {
    let moment = Moment(1000)
    let bus = EventBus(queries: QueryExecutor(threads: 2), now: { moment.now })
    try bus.publish((0..<100).map { ["type": "a", "n": .number(JSONNumber($0))] }, source: "s")
    moment.now = 2000
    let plan = try QueryPlan(Query(parsing: "type:a"))
    let span = try QuerySpan(parsing: "last 5 minutes").past
    let rows = Atomic(0)
    let query = Task {
      try await bus.run(plan, span: span) { message in
        guard case .event = message else { return }
        rows.add(1, ordering: .relaxed)
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await query.value }
    let count = rows.load(ordering: .relaxed)
    #expect(count == 1)
  }
}
