import AgentEvents
import AgentSupervision
import AgentWorkerProtocol
import Testing

@testable import AgentWorkers

/// The host reads the frames that a worker sent before its end, a part at a time.
@Suite(.timeLimit(.minutes(5))) struct LinkEndTests {
  private static let megabyte = 1 << 20

  private func running() async throws -> LinkFixture {
    let fixture = try LinkFixture()
    try await fixture.run()
    return fixture
  }

  private func event(_ n: Int, bytes: Int) -> String {
    #"{"type":"tick","n":\#(n),"pad":""# + String(repeating: "x", count: bytes) + #""}"#
  }

  @Test func `a link ends once, however often it is closed`() async throws {
    let fixture = try await running()
    fixture.end()
    fixture.end()
    #expect(fixture.closed.all.count == 1)
  }

  @Test(arguments: [190_000, 3_000_000])
  func `frames that a worker sent before its end are all read`(
    size: Int
  ) async throws {
    let fixture = try await running()
    // Its end is seen to before its socket is.
    fixture.link.exited()
    let batch = "[" + (0..<100).map { event($0, bytes: size / 100) }.joined(separator: ",") + "]"
    if size > Self.megabyte {
      await fixture.worker.sendBeside(.publish, Array(batch.utf8))
    } else {
      await fixture.worker.send { _ in [Frame(.publish, body: Array(batch.utf8))] }
    }
    await fixture.worker.send { _ in
      [Frame(.log, body: LinkFixture.record("last"))]
    }
    fixture.end()
    #expect(fixture.events.counts.published == 100)
    #expect(fixture.said.all.contains("last"))
  }

  @Test func `the last events of a worker are bounded where its time is over`() async throws {
    let fixture = try await running()
    fixture.link.exited()
    for _ in 0..<4 { await fixture.worker.sendBeside(.publish, lastEvents(12)) }
    await ended(fixture)
    #expect(fixture.events.counts.published == 24)
    #expect(fixture.said.all.count { $0.contains("had published before its end were lost") } == 2)
  }

  @Test func `the last events of a worker are read in parts, and none is lost`() async throws {
    let fixture = try await running()
    fixture.link.exited()
    for _ in 0..<8 { await fixture.worker.sendBeside(.publish, lastEvents(4)) }
    var parts = 1
    while await !drained(fixture) { parts += 1 }
    await ended(fixture)
    #expect(parts > 8)
    #expect(fixture.events.counts.published == 32)
    #expect(fixture.said.all == [])
  }

  @Test func `what is being stored holds back the last events of a worker`() async throws {
    let fixture = try await running()
    fixture.link.exited()
    fixture.link.withState { $0.publishing = WorkerLink.maxPublishing + 1 }
    await fixture.worker.sendBeside(.publish, lastEvents(1))
    #expect(await !drained(fixture))
    #expect(fixture.events.counts.published == 0)
    fixture.link.published(0, bytes: WorkerLink.maxPublishing + 1)
    while await !drained(fixture) {}
    fixture.end()
    #expect(fixture.events.counts.published == 1)
  }

  private func lastEvents(_ count: Int) -> [UInt8] {
    let events = [String](repeating: event(1, bytes: 900_000), count: count)
    return Array("[\(events.joined(separator: ","))]".utf8)
  }

  /// Much is read at the end, and not on a thread that other tests need.
  private func ended(_ fixture: LinkFixture) async {
    await withCheckedContinuation { done in
      fixture.loop.execute {
        fixture.end()
        done.resume()
      }
    }
  }

  private func drained(_ fixture: LinkFixture) async -> Bool {
    await withCheckedContinuation { done in
      fixture.loop.execute { done.resume(returning: fixture.link.drain()) }
    }
  }
}
