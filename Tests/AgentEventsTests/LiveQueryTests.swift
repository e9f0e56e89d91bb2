import AgentEvents
import AgentJSON
import AgentQueries
import AgentStore
import Synchronization
import TestSupport
import Testing

/// Live queries whose readers pause, whose clock is set, and that go on where an earlier run was.
@Suite(.timeLimit(.minutes(5))) struct LiveQueryTests {
  /// Publishes a range of events, a hundred in each tenth of a second of the clock.
  private func publish(_ range: Range<Int>, to bus: EventBus, _ clock: Moment) async throws {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 100) {
      clock.now += 100
      _ = try await bus.store(
        numbered(start...min(start + 99, range.upperBound - 1)), source: "test")
    }
  }

  /// The sum of a column over the next outputs, until it is `total` or the query ends.
  private func sum(
    _ column: String, of outputs: QueryOutputs, upTo total: Int, warnings: inout [String]
  ) async throws -> Int {
    var sum = 0
    while sum < total, let element = try await outputs.next() {
      switch element {
      case .message(.event(let batch)):
        sum += batch.rows.reduce(0) { $0 + ($1[column]?.int ?? 0) }
      case .message(.warning(let text)): warnings.append(text)
      default: break
      }
    }
    return sum
  }

  @Test func `a live query whose reader pauses counts every row`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let outputs = bus.outputs(
      of: try QueryPlan(Query(parsing: "n => count() as c every second => @filter c > 0")))
    // More than wait in the query's queue, and many windows; nobody reads meanwhile.
    try await publish(0..<12_000, to: bus, fixture.clock)
    fixture.clock.now += 5_000
    var warnings: [String] = []
    #expect(try await sum("c", of: outputs, upTo: 12_000, warnings: &warnings) == 12_000)
    #expect(warnings.isEmpty)
    outputs.end()
    await store.close()
  }

  @Test func `events that come while the past is read are counted`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    try await publish(0..<500, to: bus, fixture.clock)
    let outputs = bus.outputs(
      of: try QueryPlan(Query(parsing: "n => count() as c every second => @filter c > 0")),
      span: try QuerySpan(parsing: "last 60 seconds"))
    try await publish(500..<6_000, to: bus, fixture.clock)
    fixture.clock.now += 5_000
    var warnings: [String] = []
    #expect(try await sum("c", of: outputs, upTo: 6_000, warnings: &warnings) == 6_000)
    #expect(warnings.isEmpty)
    outputs.end()
    await store.close()
  }

  @Test func `a clock that is set back by 300 ms doesn't stop a quiet query`() async throws {
    let clock = Moment(0)
    let (pauses, asked) = AsyncStream.makeStream(of: Duration.self)
    let turns = Turns()
    let bus = EventBus(
      pause: {
        asked.yield($0)
        await turns.next()
      }, now: { clock.now })
    let outputs = bus.outputs(
      of: try QueryPlan(Query(parsing: "n => count() as c every 2 seconds")))
    let rows = Task {
      while let element = try await outputs.next() {
        if case .message(.event(let batch)) = element { return batch.time }
      }
      return Int64(-1)
    }
    var iterator = pauses.makeAsyncIterator()
    #expect(await iterator.next() == .milliseconds(1_000))
    clock.now = 700
    turns.give()
    // It has rung, whatever the clock says: the next moment is waited for.
    #expect(await iterator.next() == .milliseconds(1_000))
    clock.now = 2_600
    turns.give()
    #expect(try await rows.value == 2_000)
    outputs.end()
    turns.give()
  }

  @Test func `a query without windows continues after the last row taken`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let plan = try QueryPlan(Query(parsing: "n => n * 2 as double"))
    let first = bus.outputs(of: plan, resuming: QueryResumption(after: nil))
    _ = try await bus.store(numbered(1...3), source: "test")
    var marks: [QueryMark] = []
    var rows: [Int] = []
    while rows.count < 2, let element = try await first.next() {
      if case .message(.mark(let mark)) = element { marks.append(mark) }
      guard case .message(.event(let batch)) = element, let mark = batch.mark else { continue }
      marks.append(mark)
      rows += batch.rows.compactMap { $0["double"]?.int }
    }
    first.end()
    #expect(rows == [2, 4] && marks == [.position(0), .position(1), .position(2)])

    _ = try await bus.store(numbered(4...5), source: "test")
    fixture.clock.now -= 3_600_000
    _ = try await bus.store(numbered(6...6), source: "test")
    let second = bus.outputs(of: plan, resuming: QueryResumption(after: marks.last))
    while rows.count < 6, let element = try await second.next() {
      guard case .message(.event(let batch)) = element else { continue }
      rows += batch.rows.compactMap { $0["double"]?.int }
    }
    #expect(rows == [2, 4, 6, 8, 10, 12])
    second.end()
    await store.close()
  }

  @Test func `a query with windows reads back by their length and emits the missing outputs`()
    async throws
  {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    fixture.clock.now = 1_000_000
    try await publish(0..<5_000, to: bus, fixture.clock)
    let plan = try QueryPlan(Query(parsing: "n => count() as c over last 3 seconds every second"))
    let outputs = bus.outputs(of: plan, resuming: QueryResumption(after: .moment(1_003_000)))
    var batches: [QueryBatch] = []
    fixture.clock.now = 1_006_600
    while batches.count < 3, let element = try await outputs.next() {
      if case .message(.event(let batch)) = element { batches.append(batch) }
    }
    #expect(batches.map(\.time) == [1_004_000, 1_005_000, 1_006_000])
    #expect(batches.map { $0.rows.first?["c"]?.int } == [3_000, 3_000, 2_100])
    outputs.end()
    await store.close()
  }

  @Test func `a mark beyond the log's end starts anew with a warning`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let outputs = bus.outputs(
      of: try QueryPlan(Query(parsing: "n => n")),
      resuming: QueryResumption(after: .position(50_000)))
    _ = try await bus.store(numbered(1...1), source: "test")
    var warnings: [String] = []
    #expect(try await sum("n", of: outputs, upTo: 1, warnings: &warnings) == 1)
    #expect(warnings.first?.contains("(50000)") == true)
    outputs.end()
    await store.close()
  }

  @Test func `a subscription after a place beyond the log's end gets new events`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    _ = try await bus.store(numbered(1...2), source: "test")
    let collector = Collector()
    let subscription = bus.subscribe(
      to: try EventQuery(parsing: "n"), after: 50_000, overflow: .readLog
    ) { collector.take($0) }
    #expect(subscription.beganAnew && subscription.position == 2)
    _ = try await bus.store(numbered(3...5), source: "test")
    await collector.wait(for: 3)
    #expect(collector.numbers == [3, 4, 5])
    bus.unsubscribe(subscription)
    await store.close()
  }

  @Test func `an abandoned query ends although events keep coming`() async throws {
    let clock = Moment(0)
    let bus = EventBus(now: { clock.now })
    let outputs = bus.outputs(of: try QueryPlan(Query(parsing: "n => @filter n < 0")))
    let reader = Task { while try await outputs.next() != nil {} }
    let flood = Task {
      while !Task.isCancelled {
        try bus.publish(numbered(1...500), source: "test")
        await Task.yield()
      }
    }
    try await wait(while: bus.counts.subscriptions == 0)
    outputs.end()
    try await wait(while: bus.counts.subscriptions > 0)
    flood.cancel()
    _ = await flood.result
    _ = await reader.result
  }
}

/// Lets pauses end, one at a time.
private final class Turns: Sendable {
  private let state = Mutex<(given: Int, waiting: [CheckedContinuation<Void, Never>])>((0, []))

  func next() async {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if state.given > 0 {
          state.given -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isNow { continuation.resume() }
    }
  }

  func give() {
    let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.given += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    continuation?.resume()
  }
}
