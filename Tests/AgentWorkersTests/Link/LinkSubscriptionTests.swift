import AgentEvents
import AgentJSON
import AgentStore
import AgentSupervision
import AgentWorkerProtocol
import Synchronization
import TestSupport
import Testing

@testable import AgentWorkers

/// Queries, durable consumers and slow subscribers, as a worker has them.
@Suite(.timeLimit(.minutes(5))) struct LinkSubscriptionTests {
  private func ask(_ request: Subscribe, of fixture: LinkFixture, credit: Int = 100) async throws {
    await fixture.worker.send { _ in
      [
        Frame(.subscribe, id: 7, body: request.json),
        Frame(.credit, id: 7, body: Credit(count: credit).json),
      ]
    }
    #expect(try await fixture.worker.expect(.reply).id == 7)
  }

  /// Collects events until there are enough or the subscription has ended.
  private func take(
    _ count: Int = .max, from fixture: LinkFixture
  ) async throws -> (events: [JSONObject], isOver: Bool) {
    var taken: [JSONObject] = []
    while taken.count < count {
      let batch = try EventBatch(json: try await fixture.worker.expect(.event).body)
      taken += try JSONDocument(parsing: batch.events).root.elements.compactMap(\.value.object)
      if batch.isLast { return (taken, true) }
    }
    return (taken, false)
  }

  private func publish(_ range: ClosedRange<Int>, to bus: EventBus) async throws {
    _ = try await bus.store(
      range.map { ["type": "tick", "n": JSONValue($0)] }, source: "test")
  }

  /// A bus on which each look at the clock is a millisecond later: what was published is past when
  /// somebody asks for what was until now.
  private func clockedBus() -> EventBus {
    let time = Mutex<Int64>(1_700_000_000_000)
    return EventBus(now: {
      time.withLock { time in
        time += 1
        return time
      }
    })
  }

  private func numbers(_ events: [JSONObject]) -> [Int] { events.compactMap { $0["n"]?.int } }

  @Test func `a query's subscription gets the usual messages and ends with it`() async throws {
    let fixture = try LinkFixture(events: clockedBus())
    defer { fixture.end() }
    try await fixture.run()
    try await publish(1...3, to: fixture.events)
    try await ask(
      Subscribe(query: "tick => sum(n) as total at the end", span: "from 1 hour ago to now"),
      of: fixture)
    let (messages, isOver) = try await take(from: fixture)
    #expect(isOver)
    #expect(
      messages.compactMap { $0["type"]?.string } == [
        "start", "span", "event", "endHistory", "stop", "destroy",
      ])
    let row = messages.first { $0["type"] == "event" }?["events"]?.array?.first
    #expect(row?["total"] == 6)
  }

  @Test func `a live query gets events published right after its request`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    try await ask(Subscribe(query: "tick => n * 2 as double", span: "now"), of: fixture)
    try await publish(1...2, to: fixture.events)
    var rows: [JSONValue] = []
    while rows.count < 2 {
      let (messages, _) = try await take(1, from: fixture)
      rows += messages.filter { $0["type"] == "event" }.flatMap { $0["events"]?.array ?? [] }
    }
    #expect(rows.map { $0["double"] } == [2, 4])
    await fixture.worker.send { _ in [Frame(.unsubscribe, id: 7)] }
    try await wait(while: fixture.events.counts.subscriptions > 0)
  }

  @Test func `a query without credit waits without loss`() async throws {
    let fixture = try LinkFixture(events: clockedBus())
    defer { fixture.end() }
    try await fixture.run()
    try await publish(1...300, to: fixture.events)
    try await ask(
      Subscribe(query: "tick", span: "from 1 hour ago to now"), of: fixture, credit: 10)
    var messages = try await take(10, from: fixture).events
    await fixture.worker.send { _ in [Frame(.credit, id: 7, body: Credit(count: 1000).json)] }
    messages += try await take(from: fixture).events
    let rows = messages.filter { $0["type"] == "event" }.flatMap { $0["events"]?.array ?? [] }
    #expect(rows.compactMap { $0["n"]?.int } == Array(1...300))
  }

  @Test func `messages of a query that aren't taken have a limit of bytes`() async throws {
    let fixture = try LinkFixture(events: clockedBus())
    defer { fixture.end() }
    try await fixture.run()
    let pad = JSONValue.string(String(repeating: "x", count: 300_000))
    for n in 1...20 {
      _ = try await fixture.events.store(
        [["type": "tick", "n": JSONValue(n), "pad": pad]], source: "test")
    }
    try await ask(
      Subscribe(query: "tick => n, pad", span: "from 1 hour ago to now"), of: fixture, credit: 0)
    try await wait(while: fixture.link.load.subscriptions < 1 << 20)
    #expect(fixture.link.load.subscriptions < (1 << 20) + 400_000)
    await fixture.worker.send { _ in [Frame(.credit, id: 7, body: Credit(count: 1000).json)] }
    let messages = try await take(from: fixture).events
    let rows = messages.filter { $0["type"] == "event" }.flatMap { $0["events"]?.array ?? [] }
    #expect(rows.compactMap { $0["n"]?.int } == Array(1...20))
    #expect(fixture.link.load.subscriptions == 0)
  }

  @Test(arguments: [
    (Subscribe(query: "tick =>", span: "now"), "query:1:8"),
    (Subscribe(query: "tick", span: "yesteryear"), "span:1"),
    (Subscribe(query: "tick => count() every second"), "=>"),
  ])
  func `a query that can't be run is refused with its place`(
    request: Subscribe, place: String
  ) async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    await fixture.worker.send { _ in [Frame(.subscribe, id: 7, body: request.json)] }
    let error = try WorkerError(json: try await fixture.worker.expect(.error).body)
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains(place), "\(error.message)")
  }

  @Test func `a durable consumer continues after its last acknowledgement`() async throws {
    let store = try StoreFixture()
    // Its folder goes with it.
    defer { withExtendedLifetime(store) {} }
    let bus = try await store.open()
    let old = try LinkFixture(events: bus)
    try await old.run()
    try await publish(1...2, to: bus)
    let request = Subscribe(query: "tick", consumer: "reader", start: .oldest)
    try await ask(request, of: old)
    #expect(numbers(try await take(2, from: old).events) == [1, 2])
    try await publish(3...4, to: bus)
    #expect(numbers(try await take(2, from: old).events) == [3, 4])
    await old.worker.send { _ in
      [Frame(.credit, id: 7, body: Credit(count: 3, dealtWith: 3).json)]
    }
    try await wait(while: try await bus.consumers().first?.position != 3)
    old.end()
    try await publish(5...5, to: bus)

    let new = try LinkFixture(events: bus)
    defer { new.end() }
    try await new.run()
    try await ask(request, of: new)
    #expect(numbers(try await take(2, from: new).events) == [4, 5])
    #expect(try await bus.consumers().map(\.name) == ["p/reader"])
  }

  @Test func `a consumer on a host without a log is refused`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    try await ask(Subscribe(query: "tick", consumer: "reader"), of: fixture)
    let error = try WorkerError(json: try await fixture.worker.expect(.error).body)
    #expect(error.message == "This agent has no event log.")
  }

  /// Its own publications wait for its own space too: it must get at its events meanwhile.
  @Test func `a worker that blocks publishers gets everything, also its own events`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    try await ask(
      Subscribe(query: "tick", capacity: 2, overflow: .block), of: fixture, credit: 0)
    let event = #"{"type":"tick","n":1}"#
    await fixture.worker.send { session in
      guard
        case .sent(let frames) = session.publish(
          Array("[\(event),\(event),\(event),\(event)]".utf8), token: nil)
      else { return [] }
      return frames
    }
    try await wait(while: fixture.events.counts.published < 4)
    await fixture.worker.send { _ in [Frame(.credit, id: 7, body: Credit(count: 9).json)] }
    #expect(numbers(try await take(4, from: fixture).events) == [1, 1, 1, 1])
  }

  /// Gives one event at each take, and notes how deep the stack is.
  private final class LongSource: EventSource {
    private let places = Mutex<[UInt]>([])

    /// The bytes of the stack between the deepest take and the least deep one.
    var spread: UInt {
      places.withLock { places in (places.max() ?? 0) - (places.min() ?? 0) }
    }

    func take(_ most: Int, bytes: Int) -> TakenEvents {
      var mark: UInt8 = 0
      let place = withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
      let count = places.withLock { places in
        places.append(place)
        return places.count
      }
      return TakenEvents(events: [Array(#"{"n":1}"#.utf8)], hasMore: count < 300)
    }
    func dealtWith(_ count: Int) {}
    func end(continues: Bool) {}
  }

  @Test func `a long queue is delivered in batches that don't lie on one another`() async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    try await ask(Subscribe(query: "tick"), of: fixture, credit: 1000)
    let source = LongSource()
    let link = fixture.link
    link.withState { $0.subscriptions[7] = OpenSource(source: source) }
    fixture.loop.execute { link.pump(7) }
    #expect(try await take(300, from: fixture).events.count == 300)
    // Each batch begins at the bottom of the loop's stack, where other workers have their turn.
    #expect(source.spread < 16 << 10)
  }

  /// The last events of a source that fails with them.
  private struct FailingSource: EventSource {
    func take(_ most: Int, bytes: Int) -> TakenEvents {
      // The loop may ask before the worker's credit has arrived.
      guard most > 1 else { return TakenEvents() }
      return TakenEvents(
        events: [Array(#"{"n":1}"#.utf8), Array(#"{"n":2}"#.utf8)],
        end: .failure(WorkerError(.failed, "The log is gone.")))
    }
    func dealtWith(_ count: Int) {}
    func end(continues: Bool) {}
  }

  /// Also when much waits to be sent: an ERROR doesn't overtake the events that it ends.
  @Test(arguments: [0, 600_000])
  func `a subscription that fails delivers its last events first`(waiting: Int) async throws {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    try await ask(Subscribe(query: "tick"), of: fixture)
    fixture.link.withState { $0.subscriptions[7] = OpenSource(source: FailingSource()) }
    fixture.link.act { _ in
      let batch = EventBatch(joining: [[UInt8](repeating: 0x31, count: waiting)])
      return waiting == 0 ? [] : [.send(Frame(.event, id: 9, body: batch.json))]
    }
    fixture.link.pump(7)
    if waiting > 0 { #expect(try await fixture.worker.expect(.event).id == 9) }
    let (events, isOver) = try await take(2, from: fixture)
    #expect(numbers(events) == [1, 2])
    #expect(!isOver)
    let error = try await fixture.worker.expect(.error)
    #expect(error.id == 7)
    #expect(try WorkerError(json: error.body).message == "The log is gone.")
    #expect(fixture.link.refused == ["subscriptions": 1])
  }
}
