import AgentEvents
import AgentQueries
import AgentStore
import BenchSupport

/// Queries over the past: rows that are read from the log, matched and counted, beside a page by
/// page look at the same rows.
struct HistoryBenchmark {
  private static let events = RunLength.choose(full: 500_000, short: 5_000)
  private static let start: Int64 = 1_795_318_779_935
  let folder: String

  func results() async throws -> [BenchResult] {
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder)/history.db"))
    try await fill(store)
    let end = Self.start + Int64(Self.events)
    let bus = EventBus(now: { end })
    try await bus.open(store)
    let every = try await result(
      "count of all", text: "* => count() at the end", bus: bus, store: store,
      target: .atMost(1_000))
    let some = try await result(
      "count by a field", text: "tick price:[100 TO *] => count() by pair at the end", bus: bus,
      store: store, target: .none)
    await store.close()
    return [every, some]
  }

  private func fill(_ store: SQLiteStore) async throws {
    for start in stride(from: 0, to: Self.events, by: 1_000) {
      let events = (start..<start + 1_000).map { number in
        let time = Self.start + Int64(number)
        let body =
          #"{"type":"tick","pair":"pair\#(number % 1_000)","price":\#(number * 7 % 1_000),"#
          + #""timestamp":\#(time),"source":"bench","sequence":\#(number)}"#
        return NewEvent(type: "tick", timestamp: time, source: "bench", body: Array(body.utf8))
      }
      _ = try await store.write(.single) { try $0.events.append(events) }
    }
  }

  private func result(
    _ name: String, text: String, bus: EventBus, store: SQLiteStore, target: BenchResult.Target
  ) async throws -> BenchResult {
    let plan = try QueryPlan(Query(parsing: text))
    let span = try QuerySpan(parsing: "from 2020-01-01 to now")
    var rounds: [(measured: Double, probe: Double)] = []
    for _ in 0..<RunLength.rounds(5) {
      let probe = try await time { try await look(store) }
      rounds.append((try await time { try await count(plan, span: span, bus: bus) }, probe))
    }
    return BenchResult(
      name: "a row of the past, \(name)", unit: "ns", rounds: rounds, target: target)
  }

  /// Nanoseconds a row.
  private func time(_ body: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let time = try await clock.measure(body)
    return Double(time.components.attoseconds) / 1e9 / Double(Self.events)
      + Double(time.components.seconds) * 1e9 / Double(Self.events)
  }

  private func look(_ store: SQLiteStore) async throws {
    var rows = 0
    for try await page in store.pages(of: EventSelection(order: .timestamp)) { rows += page.count }
    guard rows == Self.events else { throw BenchError("\(rows) rows were read.") }
  }

  private func count(_ plan: QueryPlan, span: QuerySpan, bus: EventBus) async throws {
    var rows = 0
    try await bus.run(plan, span: span) { message in
      if case .event(let batch) = message { rows += batch.rows.count }
    }
    guard rows > 0 else { throw BenchError("The query said nothing.") }
  }
}
