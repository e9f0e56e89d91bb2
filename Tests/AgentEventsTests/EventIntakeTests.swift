import AgentEvents
import AgentJSON
import AgentStore
import Synchronization
import TestSupport
import Testing

/// Events from outside: what is taken in, what is refused, and which batch waits for which.
@Suite(.timeLimit(.minutes(5))) struct EventIntakeTests {
  @Test func `lines are stored in order, and blank ones are skipped`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    var options = EventIntake.Options(source: "outside")
    options.events = 7
    let intake = EventIntake(bus, options: options)
    for piece in 0..<20 {
      let text = (0..<5).map { #"{"type": "n", "n": \#(piece * 5 + $0)}"# }.joined(separator: "\n")
      for line in Self.lines(text + "\n \n") { try intake.add(line) }
      try await intake.waitForSpace()
    }
    let outcome = try await intake.finish()
    #expect(outcome.accepted == 100 && outcome.failure == nil)
    let found = try await bus.events(matching: EventQuery(parsing: "source:outside"))
    #expect(found.events.compactMap { $0.field("n")?.int } == Array(0..<100))
    await store.close()
  }

  @Test func `a line that is no event is refused, and the others are stored`() async throws {
    let bus = EventBus(now: { 5 })
    let intake = EventIntake(bus, options: EventIntake.Options(source: "s"))
    let wrong: [(String, says: String)] = [
      ("{\"type\": \"a\", }", "column 13"), ("[]", "found array"), ("{\"n\": 1}", "\"type\""),
      ("{\"type\": \"a\", \"timestamp\": \"now\"}", "\"timestamp\""), ("\u{FF}", "column 1"),
    ]
    for (text, says) in wrong {
      try intake.add(Self.lines("{\"type\": \"a\"}")[0])
      let error = #expect(throws: EventError.self) { try intake.add(Self.lines(text)[0]) }
      #expect(error?.message.contains(says) == true, "\(String(describing: error))")
    }
    var short = LineSplitter(limit: 4)
    #expect(throws: EventError.self) { try intake.add(short.lines(of: Array("12345\n".utf8))[0]) }
    #expect(try await intake.finish().accepted == wrong.count)
  }

  @Test func `a missing type is filled in`() async throws {
    let bus = EventBus(now: { 5 })
    let intake = EventIntake(bus, options: EventIntake.Options(source: "s", type: "reading"))
    for line in Self.lines("{\"n\": 1}\n{\"type\": \"own\"}\n") { try intake.add(line) }
    _ = try await intake.finish()
    let found = try await bus.events(matching: EventQuery(parsing: "*"))
    #expect(found.events.map(\.type) == ["reading", "own"])
    #expect(found.events.map(\.timestamp) == [5, 5])
  }

  @Test func `a reader waits while the log doesn't store`() async throws {
    let fixture = try LogFixture()
    let bus = EventBus(awaitsLog: true, now: { 5 })
    var options = EventIntake.Options(source: "s")
    options.events = 2
    let intake = EventIntake(bus, options: options)
    let order = Mutex<[String]>([])
    let line = Self.lines("{\"type\": \"a\"}")[0]
    let reader = Task {
      for _ in 0..<3 {
        for _ in 0..<2 { try intake.add(line) }
        try await intake.waitForSpace()
        order.withLock { $0.append("space") }
      }
      return try await intake.finish()
    }
    try await wait(while: order.withLock({ $0.isEmpty }))
    for _ in 0..<20 { await Task.yield() }
    order.withLock { $0.append("open") }
    let store = try await SQLiteStore.open(
      SQLiteStoreConfiguration(path: "\(fixture.folder)/store.db"))
    try await bus.open(store)
    #expect(try await reader.value.accepted == 6)
    // One batch on its way, one gathered: then it waits.
    #expect(order.withLock { $0 } == ["space", "open", "space", "space"])
    await store.close()
  }

  @Test func `a waiting reader can be cancelled`() async throws {
    let intake = EventIntake(
      EventBus(awaitsLog: true, now: { 5 }), options: EventIntake.Options(source: "s"))
    try intake.add(Self.lines("{\"type\": \"a\"}")[0])
    let waiting = Task { try await intake.finish() }
    for _ in 0..<20 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test(arguments: [false, true]) func `events that can't be stored any more are reported`(
    isPatient: Bool
  ) async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let options = EventIntake.Options(source: "s", isPatient: isPatient)
    let intake = EventIntake(bus, options: options)
    let line = Self.lines("{\"type\": \"a\"}")[0]
    try intake.add(line)
    #expect(try await intake.finish().accepted == 1)
    await store.close()
    for _ in 0..<3 { try intake.add(line) }
    let outcome = try await intake.finish()
    #expect(outcome.accepted == 1 && outcome.failure?.code == .storage)
    await #expect(throws: EventError.self) { try await intake.waitForSpace() }
  }

  private static func lines(_ text: String) -> [LineSplitter.Line] {
    var splitter = LineSplitter()
    return splitter.lines(of: Array(text.utf8)) + [splitter.last()].compactMap { $0 }
  }
}
