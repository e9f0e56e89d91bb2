import AgentEvents
import AgentSupervision
import AgentWorkerProtocol
import Synchronization
import Testing

@testable import AgentWorkers

/// A long PUBLISH doesn't hold the supervision thread: others have their turn between its parts.
@Suite(.timeLimit(.minutes(5))) struct LinkPartsTests {
  /// What has been published at each round of the loop.
  private final class Rounds: Sendable {
    let seen = Mutex<[Int]>([])
    let isOver = Atomic(false)

    func count(_ loop: EventLoop, _ events: EventBus) {
      seen.withLock { $0.append(Int(events.counts.published)) }
      guard !isOver.load(ordering: .relaxed) else { return }
      loop.execute { self.count(loop, events) }
    }
  }

  private func event(_ n: Int, bytes: Int) -> String {
    #"{"type":"tick","n":\#(n),"pad":""# + String(repeating: "x", count: bytes) + #""}"#
  }

  @Test func `the parts of a long PUBLISH are read in many rounds of the loop`() async throws {
    let fixture = try LinkFixture()
    try await fixture.run()
    defer { fixture.end() }
    let rounds = Rounds()
    fixture.loop.execute { rounds.count(fixture.loop, fixture.events) }
    let batch = "[" + (0..<60).map { event($0, bytes: 250_000) }.joined(separator: ",") + "]"
    await fixture.worker.sendBeside(.publish, Array(batch.utf8))
    await fixture.worker.send { _ in [Frame(.heartbeat)] }
    await fixture.settle()
    rounds.isOver.store(true, ordering: .relaxed)
    #expect(fixture.events.counts.published == 60)
    let seen = rounds.seen.withLock(\.self)
    let steps = zip(seen, seen.dropFirst()).map { $1 - $0 }
    // Two parts of at most a megabyte, four events each.
    #expect(steps.allSatisfy { $0 <= 8 }, "\(steps.filter { $0 > 0 })")
  }

  @Test func `too many tiny events are refused before one is parsed`() async throws {
    let fixture = try LinkFixture()
    try await fixture.run()
    defer { fixture.end() }
    var body = Array("[{}".utf8)
    while body.count < FrameBounds.maxPublish - 9 { body.append(contentsOf: ",{}".utf8) }
    await fixture.worker.sendBeside(.publish, body)
    while let report = await fixture.report() {
      guard case .breach(let reason) = report else { continue }
      #expect(reason.contains("more than 1024 events"), "\(reason)")
      break
    }
    #expect(fixture.events.counts.published == 0)
  }

  @Test func `frames behind a long PUBLISH wait for its parts`() async throws {
    let fixture = try LinkFixture()
    try await fixture.run()
    let batch = "[" + (0..<20).map { event($0, bytes: 250_000) }.joined(separator: ",") + "]"
    await fixture.worker.sendBeside(.publish, Array(batch.utf8))
    await fixture.worker.send { _ in
      [
        Frame(.publish, body: Array("[\(event(20, bytes: 1))]".utf8)),
        Frame(.log, body: LinkFixture.record("last")),
      ]
    }
    // It ends while parts wait: they are taken in all the same. On the loop's thread, as the
    // supervisor does it.
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      fixture.loop.execute {
        fixture.end()
        continuation.resume()
      }
    }
    #expect(fixture.events.counts.published == 21)
    #expect(fixture.said.all == ["last"])
  }
}
