import AgentEvents
import AgentJSON
import AgentStore
import Testing

/// What is the host's own among events, by whatever way somebody else comes.
@Suite(.timeLimit(.minutes(5))) struct EventPublisherTests {
  private static let forged: [JSONObject] = [
    ["type": "process_failed", "process": "billing"], ["type": "task_dead"],
    ["type": "bot_offline"], ["type": "anything", "source": "agent"],
    ["type": "schedule_fired", "source": "elsewhere"],
  ]

  private func line(_ text: String) throws -> LineSplitter.Line {
    var lines = LineSplitter()
    return try #require(lines.lines(of: Array("\(text)\n".utf8)).first)
  }

  private func bus() -> EventBus { EventBus(now: { 1_000 }) }

  @Test(arguments: forged)
  func `an event that looks like the host's is refused to all others`(
    _ event: JSONObject
  ) async throws {
    let bus = bus()
    let line = try line(JSONValue.object(event).text())
    let intake = EventIntake(bus, options: EventIntake.Options(source: "tcp"))
    #expect(throws: EventError.self) { try intake.add(line) }
    await #expect(throws: EventError.self) { try await bus.store([event], source: "api") }
    #expect(throws: EventError.self) {
      try bus.publish([event], source: "feed") { _ in }
    }
    #expect(throws: EventError.self) {
      try bus.publishPatiently([event], source: "feed") { _ in }
    }
    #expect(throws: EventError.self) {
      try bus.publish([event], source: "feed", by: .guest)
    }
    #expect(bus.counts.published == 0)
    try bus.publish([event], source: EventPublisher.hostSource)
    #expect(bus.counts.published == 1)
  }

  @Test func `a process named like the host publishes nothing`() throws {
    let bus = bus()
    #expect(throws: EventError.self) {
      try bus.publish([["type": "tick"]], source: "agent") { _ in }
    }
    #expect(bus.counts.published == 0)
  }

  @Test func `a port's settings can't name a type of the host's`() throws {
    let intake = EventIntake(
      bus(), options: EventIntake.Options(source: "tcp", type: "process_failed"))
    #expect(throws: EventError.self) {
      try intake.add(line("{}"))
    }
  }

  @Test func `a forwarded log's type is the host's while it is forwarded`() async throws {
    let bus = bus()
    let event: JSONObject = ["type": "log_line"]
    // At a reload the next one comes before the former goes.
    bus.reserve(type: "log_line")
    bus.reserve(type: "log_line")
    bus.release(type: "log_line")
    await #expect(throws: EventError.self) { try await bus.store([event], source: "api") }
    bus.release(type: "log_line")
    _ = try await bus.store([event], source: "api")
  }

  @Test func `the host's consumers are its own, and obsolete ones do no harm`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    let query = try EventQuery(parsing: "*")
    try await bus.register(consumer: "agent/notifications")
    await #expect { try await bus.forget(consumer: "agent/notifications") } throws: {
      ($0 as? EventError)?.code == .reserved
    }
    await #expect(throws: EventError.self) {
      _ = try await bus.consume("agent/notifications", query) { _ in }
    }
    _ = try await bus.consume("feed/c", query) { _ in }
    _ = try await bus.store([["type": "tick"]], source: "s")
    #expect(try await bus.forget(consumer: "feed/c"))
    _ = try await bus.store([["type": "tick"]], source: "s")
    #expect(try await bus.consumers().map(\.name) == ["agent/notifications"])
    #expect(try await bus.forget(consumer: "agent/notifications", by: .host))
    await store.close()
  }
}
