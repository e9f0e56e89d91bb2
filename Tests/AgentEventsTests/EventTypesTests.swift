import AgentJSON
import AgentStore
import Synchronization
import TestSupport
import Testing

@testable import AgentEvents

/// How many types a log keeps, and what they cost.
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

  @Test func `events of many types come in order of time`() async throws {
    let fixture = try LogFixture()
    let (bus, store) = try await fixture.open()
    var random = SeededGenerator(seed: 3_000)
    let times = (0..<3_000).map { _ in Int.random(in: 0..<2_000, using: &random) }
    _ = try await bus.store(
      times.enumerated().map { place, time in
        ["type": .string("t\(place % 300)"), "timestamp": JSONValue(time), "n": JSONValue(place)]
      }, source: "s")
    let expected = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    for size in [7, 1_000, 5_000] {
      for isBackwards in [false, true] {
        var found: [Int64] = []
        let selection = EventSelection(order: .timestamp, isBackwards: isBackwards)
        for try await page in store.pages(of: selection, size: size) {
          found += page.map { $0.position - 1 }
        }
        #expect(found == (isBackwards ? expected.reversed() : expected).map(Int64.init))
      }
    }
    await store.close()
  }
}
