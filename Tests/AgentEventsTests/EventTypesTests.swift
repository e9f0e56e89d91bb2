import AgentJSON
import AgentStore
import Synchronization
import Testing

@testable import AgentEvents

/// How many types a log keeps.
@Suite struct EventTypesTests {
  @Test func `a new type beyond the maximum is refused, whichever way events come in`() async throws
  {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    bus.knownTypes.withLock { $0.refresh((0..<EventTypes.maxCount).map { "t\($0)" }) }
    let new: JSONObject = ["type": "new"]
    #expect(throws: EventError.self) { try bus.publish([new], source: "s") { _ in } }
    #expect(throws: EventError.self) { try bus.publishPatiently([new], source: "s") { _ in } }
    await #expect(throws: EventError.self) { try await bus.store([new], source: "s") }
    let intake = EventIntake(bus, options: EventIntake.Options(source: "s"))
    var lines = LineSplitter()
    let taken = lines.lines(of: Array("{\"type\":\"new\"}\n{\"type\":\"t0\"}\n".utf8))
    #expect { try intake.add(taken[0]) } throws: {
      ($0 as? EventError)?.message.contains("types of events") == true
    }
    try intake.add(taken[1])
    #expect(try await intake.finish().accepted == 1)
    await store.close()
  }
}
