import AgentEvents
import AgentJSON
import AgentQueries
import AgentStore
import Testing

@Suite(.timeLimit(.minutes(5))) struct EventLogTests {
  private let all: EventQuery

  init() throws { all = try EventQuery(parsing: "*") }

  @Test func `stored events survive a restart, and positions continue`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let first = try await bus.store(numbered(1...3), source: "s")
    #expect(first.map(\.position) == [1, 2, 3])
    await store.close()
    let (later, reopened) = try await fixture.open()
    let more = try await later.store(numbered(4...4), source: "s")
    #expect(more.map(\.position) == [4])
    let found = try await later.events(matching: try EventQuery(parsing: "N"), limit: 3)
    #expect(found.events.compactMap { $0.field("n")?.int } == [2, 3, 4])
    #expect(found.truncated)
    await reopened.close()
  }

  @Test func `a request made before the log is open is answered from the log`() async throws {
    let fixture = try LogFixture()
    let (before, store) = try await fixture.open()
    _ = try await before.store(numbered(1...2), source: "s")
    let bus = EventBus(awaitsLog: true, now: { 2_000_000 })
    let asked = Task.immediate { [all] in
      try await bus.events(matching: all).events.compactMap { $0.field("n")?.int }
    }
    let types = Task.immediate { try await bus.types().map(\.type) }
    let consumers = Task.immediate { try await bus.consumers().count }
    let plan = try QueryPlan(Query(parsing: "n"))
    let outputs = bus.outputs(of: plan, span: try QuerySpan(parsing: "since 1970-01-01"))
    try await bus.open(store)
    #expect(try await asked.value == [1, 2])
    #expect(try await types.value == ["n"])
    #expect(try await consumers.value == 0)
    var rows = 0
    while rows < 2, let element = try await outputs.next() {
      if case .message(.event(let batch)) = element { rows += batch.rows.count }
      if case .message(.endHistory) = element { break }
    }
    #expect(rows == 2)
    await store.close()
  }

  @Test func `an event published before the log is open waits for it`() async throws {
    let fixture = try LogFixture()
    let store = try await SQLiteStore.open(
      SQLiteStoreConfiguration(path: "\(fixture.folder)/store.db"))
    let bus = EventBus(awaitsLog: true, now: { 5 })
    let collector = Collector()
    let subscription = bus.subscribe(to: all) { collector.take($0) }
    try bus.publish(numbered(1...2), source: "s")
    #expect(collector.numbers.isEmpty)
    try await bus.open(store)
    await collector.wait(for: 2)
    #expect(collector.numbers == [1, 2])
    bus.unsubscribe(subscription)
    await store.close()
  }

  @Test func `a window delivers the past from the log, then new events, each once`() async throws {
    let fixture = try LogFixture()
    let (early, closing) = try await fixture.open()
    _ = try await early.store(numbered(0...0), source: "s")
    fixture.clock.now += 60_000
    _ = try await early.store(numbered(1...1500), source: "s")
    await closing.close()
    let (bus, store) = try await fixture.open()
    let collector = Collector()
    let subscription = bus.subscribe(to: all, window: 10_000, overflow: .readLog) {
      collector.take($0)
    }
    // Published while the past is being read.
    for n in 1501...1600 { try bus.publish(numbered(n...n), source: "s") }
    await collector.wait(for: 1600)
    #expect(collector.numbers == Array(1...1600))
    bus.unsubscribe(subscription)
    await store.close()
  }

  @Test(arguments: [1, 7, 1024])
  func `a subscriber that joins during publishing misses nothing and gets nothing twice`(
    capacity: Int
  ) async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    _ = try await bus.store(numbered(1...200), source: "s")
    let collector = Collector()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for producer in 0..<4 {
        group.addTask {
          for batch in 0..<50 {
            let first = 201 + (producer * 50 + batch) * 4
            _ = try await bus.store(numbered(first...first + 3), source: "p\(producer)")
          }
        }
      }
      group.addTask {
        _ = bus.subscribe(to: all, after: 0, capacity: capacity, overflow: .readLog) {
          collector.take($0)
        }
      }
      try await group.waitForAll()
    }
    await collector.wait(for: 1000)
    #expect(collector.numbers.sorted() == Array(1...1000))
    #expect(collector.dropped == 0)
    await store.close()
  }

  @Test func `a slow consumer that reads the log loses nothing`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let collector = Collector()
    let slow = bus.subscribe(to: all, capacity: 4, overflow: .readLog) { _ in }
    _ = try await bus.store(numbered(1...100), source: "s")
    #expect(slow.waiting == 4)
    while collector.numbers.count < 100 {
      collector.take(slow, 3)
      await Task.yield()
    }
    #expect(collector.numbers == Array(1...100))
    #expect(collector.dropped == 0)
    await store.close()
  }

  @Test func `a durable consumer continues after its last acknowledgement`() async throws {
    let fixture = try LogFixture()
    let (bus, closing) = try await fixture.open()
    let query = try EventQuery(parsing: "n")
    let before = Collector()
    _ = try await bus.consume("c", query) { before.take($0) }
    let events = try await bus.store(numbered(1...10), source: "s")
    await before.wait(for: 10)
    try await bus.acknowledge("c", through: events[3].position)
    await closing.close()

    let (again, store) = try await fixture.open()
    let collector = Collector()
    _ = try await again.consume("c", query) { collector.take($0) }
    _ = try await again.store(numbered(11...12), source: "s")
    await collector.wait(for: 8)
    #expect(collector.numbers == Array(5...12))
    await #expect(throws: (any Error).self) { try await again.acknowledge("nobody", through: 1) }
    #expect(try await again.forget(consumer: "c"))
    await store.close()
  }

  @Test func `a consumer that handled all its events holds nothing else back`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let collector = Collector()
    let rare = try await bus.consume("rare", try EventQuery(parsing: "type:rare")) {
      collector.take($0)
    }
    let events = try await bus.store(
      numbered(1...1, type: "rare") + numbered(2...9), source: "s")
    await collector.wait(for: 1)
    // Taken and not dealt with: it is where it was.
    #expect(try await bus.consumers().map(\.behind) == [9])
    try await bus.acknowledge("rare", through: events[0].position)
    #expect(try await bus.consumers().map(\.behind) == [0])
    // The host does this once a minute, and it moves the stored position.
    _ = try await bus.retain { EventRetentionRule(type: $0) }
    #expect(try await bus.consumers().map(\.position) == [9])
    bus.unsubscribe(rare)
    _ = try await bus.store(numbered(10...11), source: "s")
    #expect(try await bus.consumers().map(\.behind) == [2])
    await store.close()
  }

  @Test func `modifiers skip the log or live delivery, or replace the stored event`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let collector = Collector()
    let subscription = bus.subscribe(to: all) { collector.take($0) }
    _ = try await bus.store(
      [
        ["type": "n", "n": 1, "__skipstorage": true],
        ["type": "n", "n": 2, "__skiprealtime": true],
        ["type": "n", "n": 3, "id": "x", "__overwrite": true],
        ["type": "n", "n": 4, "key": "x", "__overwrite": "key"],
        ["type": "n", "n": 5, "id": 7, "day": "Monday", "__overwrite": ["id", "day"]],
        ["type": "n", "n": 6, "id": 7, "day": "Friday", "__overwrite": ["id", "day"]],
        ["type": "n", "n": 7, "id": 7, "day": "Friday", "__overwrite": ["id", "day"]],
      ], source: "s")
    #expect(collector.numbers == [1, 3, 4, 5, 6, 7])
    let found = try await bus.events(matching: all).events
    #expect(found.compactMap { $0.field("n")?.int } == [2, 4, 5, 7])
    let refused: [JSONValue] = [true, "key", [], 5, ["n", "key"], [["n"]]]
    for modifier in refused {
      await #expect(throws: EventError.self) {
        try await bus.store([["type": "n", "n": 1, "__overwrite": modifier]], source: "s")
      }
    }
    bus.unsubscribe(subscription)
    await store.close()
  }

  @Test func `old events are removed, except those that a consumer needs`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let events = try await bus.store(
      numbered(1...10) + numbered(11...11, type: "other"), source: "s")
    _ = try await bus.consume("c", all, from: .oldest) { _ in }
    let two = EventRetentionRule(type: "", count: 2)
    let rule: @Sendable (String) -> EventRetentionRule = { type in
      var rule = two
      rule.type = type
      return rule
    }
    #expect(try await bus.retain(rule) == 0)
    try await bus.acknowledge("c", through: events[5].position)
    #expect(try await bus.retain(rule) == 6)
    try await bus.acknowledge("c", through: events[10].position)
    #expect(try await bus.retain(rule) == 2)
    let left = try await bus.events(matching: all).events
    #expect(left.compactMap { $0.field("n")?.int } == [9, 10, 11])
    #expect(try await bus.types().map(\.count) == [2, 1])
    await store.close()
  }

  @Test func `a blocking subscription delays the publisher's answer`() async throws {
    let bus = EventBus(now: { 5 })
    let answered = Announcements()
    let slow = bus.subscribe(to: all, capacity: 2, overflow: .block) { _ in }
    try bus.publish(numbered(1...2), source: "s") { _ in answered.add() }
    #expect(answered.total == 1)
    try bus.publish(numbered(3...4), source: "s") { _ in answered.add() }
    #expect(answered.total == 1)
    #expect(slow.take(3).events.count == 3)
    #expect(answered.total == 2)
    #expect(slow.take(3).dropped == 0)
  }

  @Test func `an event that can't be stored is refused and not delivered`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let collector = Collector()
    let subscription = bus.subscribe(to: all) { collector.take($0) }
    await store.close()
    let error = await #expect(throws: EventError.self) {
      try await bus.store(numbered(1...1), source: "s")
    }
    #expect(error?.code == .storage)
    #expect(collector.numbers.isEmpty)
    bus.unsubscribe(subscription)
  }

  @Test func `a cancelled reader reads no further`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    for part in 0..<10 {
      _ = try await bus.store(numbered((part * 1000)...(part * 1000 + 999)), source: "s")
    }
    fixture.clock.now += 1
    let plan = try QueryPlan(Query(parsing: "n"))
    let reading = Task {
      var rows = 0
      do {
        try await bus.run(plan, span: .all.past) { message in
          guard case .event = message else { return }
          rows += 1
          withUnsafeCurrentTask { $0?.cancel() }
        }
      } catch is CancellationError {
        return rows
      }
      return .max
    }
    #expect((1..<10_000).contains(try await reading.value))
    let finding = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await bus.events(matching: all, limit: 10_000)
    }
    await #expect(throws: CancellationError.self) { try await finding.value }
    await store.close()
  }
}
