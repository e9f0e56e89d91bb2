import AgentEvents
import AgentJSON
import Synchronization
import Testing

/// A clock that tests set.
final class Moment: Sendable {
  private let value: Mutex<(now: Int64, jumped: Int64)>
  init(_ start: Int64) { value = Mutex((start, 0)) }
  var now: Int64 {
    get { value.withLock { $0.now } }
    set { value.withLock { $0.now = newValue } }
  }
  /// A clock that nobody sets.
  var steady: Duration { value.withLock { .milliseconds($0.now - $0.jumped) } }

  /// Somebody sets the clock.
  func jump(by milliseconds: Int64) {
    value.withLock { ($0.now, $0.jumped) = ($0.now + milliseconds, $0.jumped + milliseconds) }
  }
}

/// Counts how often a subscription was announced.
final class Announcements: Sendable {
  private let count = Mutex(0)
  var total: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}

struct EventBusTests {
  private func types(_ events: [Event]) -> [String] { events.map(\.type) }

  @Test func `a subscriber gets matching events in order and one signal until it is empty`()
    throws
  {
    let bus = EventBus(now: { 5 })
    let told = Announcements()
    let subscription = bus.subscribe(to: try EventQuery(parsing: "a")) { _ in told.add() }
    try bus.publish([["type": "a", "n": 1], ["type": "b"], ["type": "a", "n": 2]], source: "s")
    try bus.publish([["type": "a", "n": 3]], source: "s")
    #expect(told.total == 1)
    let taken = subscription.take(10)
    #expect(taken.events.compactMap { $0.field("n")?.int } == [1, 2, 3])
    try bus.publish([["type": "a", "n": 4]], source: "s")
    #expect(told.total == 2)
  }

  @Test(
    arguments: [
      ("b | task_done", ["task_done"]), ("task_d*", ["task_done", "task_new"]),
      ("TASK_New n:1", ["task_new"]), ("-task_new", ["task_done", "task_new"]), ("b n:1", []),
    ] as [(String, Set<String>)])
  func `a publisher learns which types a query may match`(
    query: String, awaited: Set<String>
  ) throws {
    let bus = EventBus(now: { 5 })
    let types: Set<String> = ["task_done", "task_new"]
    #expect(bus.awaited(of: types).isEmpty)
    let subscription = bus.subscribe(to: try EventQuery(parsing: query)) { _ in }
    #expect(bus.awaited(of: types) == awaited)
    bus.unsubscribe(subscription)
    #expect(bus.awaited(of: types).isEmpty)
  }

  @Test func `subscribers to the same query each get all of it in their own batches`() throws {
    let bus = EventBus(now: { 5 })
    let query = try EventQuery(parsing: "n")
    let first = bus.subscribe(to: query) { _ in }
    let second = bus.subscribe(to: query) { _ in }
    let numbers: @Sendable (Int) -> JSONObject = { ["type": "n", "n": JSONValue($0)] }
    try bus.publish((1...3).map(numbers), source: "s")
    try bus.publish([["type": "m"], numbers(4), ["type": "m"], numbers(5)], source: "s")
    let taken = [first.take(2), first.take(2), first.take(2)].map { $0.events }
    #expect(taken.map { $0.compactMap { $0.field("n")?.int } } == [[1, 2], [3, 4], [5]])
    bus.unsubscribe(first)
    try bus.publish([numbers(6)], source: "s")
    #expect(second.take(9).events.compactMap { $0.field("n")?.int } == Array(1...6))
    #expect(bus.counts.subscriptions == 1)
  }

  @Test func `a batch is cut where the queue is full`() throws {
    let bus = EventBus(now: { 5 })
    let query = try EventQuery(parsing: "n")
    let oldest = bus.subscribe(to: query, capacity: 3, overflow: .dropOldest) { _ in }
    let newest = bus.subscribe(to: query, capacity: 3, overflow: .dropNewest) { _ in }
    for numbers in [1...2, 3...7] {
      try bus.publish(numbers.map { ["type": "n", "n": JSONValue($0)] }, source: "s")
    }
    for (subscription, left) in [(oldest, [5, 6, 7]), (newest, [1, 2, 3])] {
      let (events, dropped) = subscription.take(9)
      #expect(events.compactMap { $0.field("n")?.int } == left)
      #expect(dropped == 4)
    }
  }

  @Test func `a full queue drops events by its policy and counts them`() throws {
    let bus = EventBus(now: { 5 })
    let query = try EventQuery(parsing: "*")
    let oldest = bus.subscribe(to: query, capacity: 2, overflow: .dropOldest) { _ in }
    let newest = bus.subscribe(to: query, capacity: 2, overflow: .dropNewest) { _ in }
    try bus.publish(["a", "b", "c", "d"].map { ["type": .string($0)] }, source: "s")
    #expect(types(oldest.take(9).events) == ["c", "d"])
    let kept = newest.take(9)
    #expect(types(kept.events) == ["a", "b"])
    #expect(kept.dropped == 2)
    #expect(newest.take(9).dropped == 0)
  }

  @Test func `a window delivers the past first, once`() throws {
    let clock = Moment(1_000)
    let bus = EventBus(now: { clock.now })
    try bus.publish([["type": "old"]], source: "s")
    clock.now = 10_000
    try bus.publish([["type": "recent"]], source: "s")
    clock.now = 10_500
    let told = Announcements()
    let subscription = bus.subscribe(to: try EventQuery(parsing: "*"), window: 1_000) { _ in
      told.add()
    }
    #expect(told.total == 1)
    try bus.publish([["type": "live"]], source: "s")
    #expect(types(subscription.take(9).events) == ["recent", "live"])
  }

  @Test func `a successor continues where its predecessor stopped`() throws {
    let bus = EventBus(now: { 5 })
    let query = try EventQuery(parsing: "n")
    let old = bus.subscribe(to: query) { _ in }
    try bus.publish((1...4).map { ["type": "n", "n": .number(JSONNumber($0))] }, source: "s")
    _ = old.take(2)
    bus.unsubscribe(old)
    try bus.publish([["type": "n", "n": 5]], source: "s")
    let new = bus.subscribe(to: query, after: old.position) { _ in }
    try bus.publish([["type": "n", "n": 6]], source: "s")
    #expect(new.take(9).events.compactMap { $0.field("n")?.int } == [3, 4, 5, 6])
  }

  @Test func `a subscriber that has taken nothing continues where it began`() throws {
    let bus = EventBus(now: { 5 })
    let query = try EventQuery(parsing: "*")
    try bus.publish([["type": "before"]], source: "s")
    let old = bus.subscribe(to: query) { _ in }
    try bus.publish([["type": "after"]], source: "s")
    let new = bus.subscribe(to: query, after: old.position) { _ in }
    #expect(types(new.take(9).events) == ["after"])
  }

  @Test func `a missing timestamp and source are filled in, and given ones kept`() async throws {
    let bus = EventBus(now: { 77 })
    let events = try await bus.store(
      [["type": "a"], ["type": "a", "timestamp": 5, "source": "other"]], source: "p")
    #expect(events.map(\.timestamp) == [77, 5])
    #expect(events.map(\.source) == ["p", "other"])
    #expect(try JSONValue(parsing: events[0].encoded)["source"] == "p")
  }

  @Test(arguments: [
    JSONObject(), ["type": ""], ["type": 3], ["type": "a", "timestamp": "now"],
    ["type": "a", "timestamp": 1.5], ["type": "a", "source": 7],
  ])
  func `an invalid event refuses the whole batch`(object: JSONObject) async throws {
    let bus = EventBus(now: { 1 })
    #expect(throws: EventError.self) { try bus.publish([["type": "fine"], object], source: "s") }
    #expect(bus.counts.published == 0)
    #expect(try await bus.events(matching: try EventQuery(parsing: "*")).events.isEmpty)
  }

  @Test func `events that are too old, too many or too large are forgotten`() async throws {
    let clock = Moment(0)
    let bus = EventBus(
      retention: EventMemoryLimits(age: 100, count: 3, bytes: 10_000), now: { clock.now })
    let all = try EventQuery(parsing: "*")
    try bus.publish((1...5).map { ["type": .string("e\($0)")] }, source: "s")
    #expect(types(try await bus.events(matching: all).events) == ["e3", "e4", "e5"])
    clock.now = 200
    try bus.publish([["type": "new"]], source: "s")
    #expect(types(try await bus.events(matching: all).events) == ["new"])
    let long = String(repeating: "x", count: 9_990)
    try bus.publish([["type": "big", "text": .string(long)]], source: "s")
    #expect(try await bus.events(matching: all).events.isEmpty)
  }

  @Test func `a query returns the newest events up to its limit, oldest first`() async throws {
    let bus = EventBus(now: { 1 })
    try bus.publish((1...5).map { ["type": "n", "n": .number(JSONNumber($0))] }, source: "s")
    let found = try await bus.events(matching: try EventQuery(parsing: "n"), limit: 2)
    #expect(found.events.compactMap { $0.field("n")?.int } == [4, 5])
    #expect(found.truncated)
  }

  @Test func `an ended subscription gets no more events`() throws {
    let bus = EventBus(now: { 1 })
    let subscription = bus.subscribe(to: try EventQuery(parsing: "a")) { _ in }
    try bus.publish([["type": "a"]], source: "s")
    bus.unsubscribe(subscription)
    try bus.publish([["type": "a"]], source: "s")
    #expect(subscription.take(9).events.isEmpty)
    #expect(bus.counts.subscriptions == 0)
  }
}
