import AgentEvents
import AgentJSON
import AgentQueries
import AgentStore
import TestSupport
import Testing

/// What the log keeps, and what one question may cost.
@Suite(.timeLimit(.minutes(5))) struct LogBoundsTests {
  private static let day: Int64 = 86_400_000

  private static func rule(_ age: Int64? = nil) -> @Sendable (String) -> EventRetentionRule {
    { EventRetentionRule(type: $0, age: age) }
  }

  @Test func `all types together stay within the byte limit, and the largest are cut`()
    async throws
  {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    _ = try await bus.store(
      numbered(1...1_000, type: "large") + numbered(1...500, type: "middle")
        + numbered(1...10, type: "small"), source: "s")
    let before = try await bus.types()
    let total = before.reduce(0) { $0 + $1.bytes }
    #expect(try await bus.retain(maxBytes: total, Self.rule()) == 0)
    let small = try #require(before.first { $0.type == "small" })
    #expect(try await bus.retain(maxBytes: 4_000 + small.bytes, Self.rule()) > 0)
    let after = try await bus.types()
    #expect(after.reduce(0) { $0 + $1.bytes } <= 4_000 + small.bytes)
    #expect(after.first { $0.type == "small" } == small)
    let sizes = after.filter { $0.type != "small" }.map(\.bytes)
    #expect(sizes.count == 2 && sizes.allSatisfy { $0 > 1_800 })
    await store.close()
  }

  @Test func `a consumer that nobody reads holds events back for a week at most`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    try await bus.register(consumer: "gone", from: .oldest)
    _ = try await bus.store(numbered(1...5), source: "s")
    for _ in 0..<8 {
      fixture.clock.now += Self.day
      _ = try await bus.store(numbered(6...6, type: "tick"), source: "s")
    }
    let none: @Sendable (String) -> EventRetentionRule = { EventRetentionRule(type: $0, count: 0) }
    #expect(try await bus.retain(none) == 13)
    await store.close()
  }

  private static let none: @Sendable (String) -> EventRetentionRule = {
    EventRetentionRule(type: $0, count: 0)
  }

  /// An hour more than `days`, with an event each day, so that the clock isn't taken for wrong.
  private func pass(_ days: Int, _ bus: EventBus, _ clock: Moment) async throws {
    for _ in 0..<days {
      clock.now += Self.day
      _ = try await bus.store(numbered(6...6, type: "tick"), source: "s")
    }
    clock.now += Self.day / 24
  }

  @Test func `a connected consumer that takes nothing holds events back for a week at most`()
    async throws
  {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let all = try EventQuery(parsing: "*")
    _ = try await bus.consume("there", all, from: .oldest) { _ in }
    _ = try await bus.store(numbered(1...5), source: "s")
    try await pass(6, bus, fixture.clock)
    #expect(try await bus.retain(Self.none) == 0)
    // A slow one counts, however far behind it is.
    try await bus.acknowledge("there", through: 1)
    #expect(try await bus.retain(Self.none) == 1)
    try await pass(6, bus, fixture.clock)
    #expect(try await bus.retain(Self.none) == 0)
    try await pass(1, bus, fixture.clock)
    #expect(try await bus.retain(Self.none) == 17)
    // Connecting again isn't progress.
    _ = try await bus.store(numbered(7...9), source: "s")
    _ = try await bus.consume("there", all) { _ in }
    #expect(try await bus.retain(Self.none) == 3)
    await store.close()
  }

  @Test func `a consumer without new events for weeks loses none of those that come then`()
    async throws
  {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    _ = try await bus.consume("quiet", try EventQuery(parsing: "n")) { _ in }
    for _ in 0..<3 {
      try await pass(7, bus, fixture.clock)
      try await wait(while: bus.statistics.behind > 0)
      _ = try await bus.retain(Self.none)
    }
    _ = try await bus.store(numbered(1...5), source: "s")
    #expect(try await bus.retain(Self.none) == 0)
    await store.close()
  }

  @Test func `a process has a limited number of consumers`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    for n in 0..<100 { try await bus.register(consumer: "feed/c\(n)") }
    let error = await #expect(throws: EventError.self) {
      try await bus.register(consumer: "feed/more")
    }
    #expect(error?.message.contains("100 durable consumers") == true)
    try await bus.register(consumer: "feed/c7")
    try await bus.register(consumer: "other/more")
    #expect(try await bus.forget(consumer: "feed/c7"))
    try await bus.register(consumer: "feed/more")
    await store.close()
  }

  @Test func `consumers give way while the database is full`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    _ = try await bus.consume("there", try EventQuery(parsing: "*"), from: .oldest) { _ in }
    _ = try await bus.store(numbered(1...5), source: "s")
    #expect(try await bus.retain(Self.none) == 0)
    #expect(try await bus.retain(keepsForConsumers: false, Self.none) == 5)
    await store.close()
  }

  @Test func `retention writes nothing while nothing is due`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    _ = try await bus.consume("there", try EventQuery(parsing: "*"), from: .oldest) { _ in }
    _ = try await bus.store(
      (0..<20).flatMap { numbered(1...5, type: "t\($0)") }, source: "s")
    let writes = store.statistics.writes
    let kept: @Sendable (String) -> EventRetentionRule = {
      EventRetentionRule(type: $0, age: Self.day, count: 5, bytes: 1 << 20)
    }
    #expect(try await bus.retain(maxBytes: 1 << 20, kept) == 0)
    // Due, but still needed.
    #expect(try await bus.retain(Self.none) == 0)
    #expect(store.statistics.writes == writes)
    try await bus.acknowledge("there", through: 3)
    #expect(try await bus.retain(Self.none) == 3)
    #expect(store.statistics.writes == writes + 2)
    await store.close()
  }

  @Test func `a clock that jumps removes nothing by age for an hour`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    _ = try await bus.store(numbered(1...5), source: "s")
    let rule = Self.rule(Self.day)
    #expect(try await bus.retain(rule) == 0)
    fixture.clock.jump(by: 3_000 * Self.day)
    #expect(try await bus.retain(rule) == 0)
    // It was wrong, and is set right again.
    fixture.clock.jump(by: -3_000 * Self.day)
    #expect(try await bus.retain(rule) == 0)
    #expect(try await bus.types().first?.count == 5)
    // Where it stays as it is, it is believed after an hour.
    fixture.clock.jump(by: 3_000 * Self.day)
    #expect(try await bus.retain(rule) == 0)
    for _ in 0..<61 {
      fixture.clock.now += 60_000
      _ = try await bus.retain(rule)
    }
    #expect(try await bus.types().isEmpty)
    await store.close()
  }

  @Test func `a clock that jumps before the first removal isn't believed`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    _ = try await bus.store(numbered(1...5), source: "s")
    fixture.clock.jump(by: 3_000 * Self.day)
    #expect(try await bus.retain(Self.rule(Self.day)) == 0)
    await store.close()
  }

  @Test func `time that has passed isn't a jump of the clock`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    _ = try await bus.store(numbered(1...5), source: "s")
    #expect(try await bus.retain(Self.rule(Self.day)) == 0)
    fixture.clock.now += 2 * Self.day
    #expect(try await bus.retain(Self.rule(Self.day)) == 5)
    await store.close()
  }

  @Test func `a host that starts a day after its newest event waits, too`() async throws {
    let fixture = try LogFixture()
    let (first, store) = try await fixture.open()
    _ = try await first.store(numbered(1...5), source: "s")
    await store.close()
    fixture.clock.jump(by: 40 * Self.day)
    let (bus, reopened) = try await fixture.open()
    #expect(try await bus.retain(Self.rule(Self.day)) == 0)
    await reopened.close()
  }

  @Test func `no age is believed before the log is open`() async throws {
    let fixture = try LogFixture()
    let waiting = EventBus(
      awaitsLog: true, steady: { fixture.clock.steady }, now: { fixture.clock.now })
    #expect(!waiting.trustsClock)
    let (bus, store) = try await fixture.open()
    #expect(bus.trustsClock)
    await store.close()
  }

  @Test func `events stored by a wrong clock don't make the clock right`() async throws {
    let fixture = try LogFixture()
    let (first, store) = try await fixture.open()
    _ = try await first.store(numbered(1...5), source: "s")
    await store.close()
    fixture.clock.jump(by: 4_000 * Self.day)
    let (bus, reopened) = try await fixture.open()
    _ = try await bus.store(numbered(6...6, type: "started"), source: "s")
    #expect(!bus.trustsClock)
    #expect(try await bus.retain(Self.rule(Self.day)) == 0)
    fixture.clock.jump(by: -4_000 * Self.day)
    #expect(try await bus.retain(Self.rule(Self.day)) == 0)
    // It may be set again.
    #expect(!bus.trustsClock)
    fixture.clock.now += 3_600_000
    #expect(bus.trustsClock)
    await reopened.close()
  }

  @Test func `types whose events are gone are forgotten`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    for name in ["a", "b", "c", "d"] {
      _ = try await bus.store(numbered(1...2, type: name), source: "s")
    }
    let rule: @Sendable (String) -> EventRetentionRule = {
      EventRetentionRule(type: $0, count: $0 == "b" ? nil : 0)
    }
    #expect(try await bus.retain(rule) == 6)
    // The newest stays, so that its number isn't given twice.
    #expect(try await store.read { try $0.events.countOfTypes() } == 2)
    let events = try await bus.store(numbered(3...3, type: "a"), source: "s")
    #expect(events.map(\.position) == [9])
    let found = try await bus.events(matching: try EventQuery(parsing: "*")).events
    #expect(found.map(\.type) == ["b", "b", "a"])
    await store.close()
  }

  @Test func `an event of one type too many is refused`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    for start in stride(from: 0, to: 10_000, by: 2_500) {
      _ = try await bus.store(
        (start..<(start + 2_500)).map { ["type": .string("t\($0)")] }, source: "s")
    }
    let error = await #expect(throws: EventError.self) {
      try await bus.store([["type": "t5"], ["type": "more"]], source: "s")
    }
    #expect(error?.message.contains("10000 types") == true && error?.code == .invalid)
    // A live event of the same type says nothing of the one that is stored behind it.
    await #expect(throws: EventError.self) {
      try await bus.store(
        [["type": "more", "__skipstorage": true], ["type": "more"]], source: "s")
    }
    _ = try await bus.store(
      [["type": "t5"], ["type": "live", "__skipstorage": true]], source: "s")
    // A source that fills the log silences neither alerts nor the host.
    _ = try await bus.store([["type": "alert"]], source: "s")
    _ = try await bus.store([["type": "task_failed"]], source: "agent", by: .host)
    await store.close()
  }

  @Test func `an event's type is short and has no control characters`() async throws {
    let bus = EventBus(now: { 5 })
    for type in ["a\u{1f}b", "a\nb", "\u{7f}", String(repeating: "x", count: 257)] {
      await #expect(throws: EventError.self) {
        try await bus.store([["type": .string(type)]], source: "s")
      }
    }
    _ = try await bus.store([["type": "Zähler 1/2"]], source: "s")
  }

  @Test func `an event's source has no control characters`() async throws {
    let bus = EventBus(now: { 5 })
    for source in ["a\u{1b}[2J", "a\nb", "\u{7f}", "\u{9b}"] {
      await #expect(throws: EventError.self) {
        try await bus.store([["type": "t", "source": .string(source)]], source: "s")
      }
    }
    _ = try await bus.store([["type": "t", "source": "Zähler 1/2"]], source: "s")
  }

  @Test func `a list of events stays within its byte limit`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let text = JSONValue.string(String(repeating: "x", count: 1 << 20))
    for number in 0..<20 {
      _ = try await bus.store([["type": "n", "n": JSONValue(number), "text": text]], source: "s")
    }
    let found = try await bus.events(matching: try EventQuery(parsing: "n"), limit: 10_000)
    #expect(found.truncated)
    #expect(found.events.reduce(0) { $0 + $1.encoded.count } <= EventBus.maxListBytes)
    #expect(found.events.compactMap { $0.field("n")?.int } == Array(5..<20))
    await store.close()
  }

  @Test func `a deeply nested event is read back from the log`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let deep = (0..<200).reduce(JSONValue(1)) { value, _ in .array([value]) }
    _ = try await bus.store([["type": "n", "n": 1, "deep": deep]], source: "s")
    let found = try await bus.events(matching: try EventQuery(parsing: "n"))
    #expect(found.events.first?.field("deep") == deep)
    fixture.clock.now += 1_000
    let outputs = bus.outputs(
      of: try QueryPlan(Query(parsing: "n => n, deep")),
      span: try QuerySpan(parsing: "since ts 0").past)
    var rows = 0
    while let element = try await outputs.next() {
      if case .message(.event(let batch)) = element { rows += batch.rows.count }
    }
    #expect(rows == 1)
    await store.close()
  }
}
