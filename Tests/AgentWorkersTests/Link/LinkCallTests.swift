import AgentSupervision
import AgentWorkerProtocol
import TestSupport
import Testing

@testable import AgentWorkers

/// Calls that come when the worker has much to read.
@Suite(.timeLimit(.minutes(5))) struct LinkCallTests {
  /// A call of a link, and whether it is refused because the worker has too much to read.
  private static func isRefused(_ link: WorkerLink, _ input: [UInt8]) async -> Bool {
    do throws(WorkerError) {
      _ = try await link.invoke(LinkFixture.time, input: input, deadline: 0)
      return false
    } catch {
      #expect(error.code == .overloaded, "\(error)")
      return true
    }
  }

  private static func answer(_ count: Int, by worker: FakeWorker) async throws {
    for _ in 0..<count {
      let invoke = try await worker.expect(.invoke)
      await worker.send { session in
        [session.finish(invoke.id, .success(Array("1".utf8)))].compactMap { $0 }
      }
    }
  }

  private static func text(bytes: Int) -> [UInt8] {
    [0x22] + [UInt8](repeating: 0x78, count: bytes - 2) + [0x22]
  }

  /// Returns whether the link goes on: it reads a further frame, and has reported no breach.
  private func isUnharmed(_ fixture: LinkFixture) async -> Bool {
    await fixture.worker.send { _ in [Frame(.heartbeat)] }
    return await fixture.report() == .alive
  }

  @Test func `calls beyond what a worker may be sent are refused, and the others answered`()
    async throws
  {
    let fixture = try LinkFixture()
    defer { fixture.end() }
    try await fixture.run()
    let link = fixture.link
    let input = Self.text(bytes: 1_000_000)
    let refused = WorkerOutput()
    let calls = Task {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<40 {
          group.addTask {
            if await Self.isRefused(link, input) { refused.add("refused") }
          }
        }
      }
    }
    let begun = { link.withState { $0.calls.count } }
    try await wait(while: begun() + refused.all.count < 40)
    #expect(refused.all.count > 20)
    #expect(begun() > 4)
    // A small frame finds space beside the calls: it isn't the one that ends the worker.
    link.ping()
    try await Self.answer(begun(), by: fixture.worker)
    await calls.value
    let ping = try await fixture.worker.expect(.ping)
    await fixture.worker.send { session in [session.reply(ping.id)] }
    #expect(await fixture.report() == .alive)
    #expect(await isUnharmed(fixture))
  }

  @Test func `a call is refused by its size as a frame, not by that of its input`() async throws {
    let fixture = try LinkFixture()
    try await fixture.run()
    let link = fixture.link
    // The first is on its way, and the second waits until the worker has read it.
    let long = Self.text(bytes: 40 << 20)
    let calls = (0..<2).map { _ in
      Task { try? await link.invoke(LinkFixture.time, input: long, deadline: 0) }
    }
    try await wait(while: link.withState { $0.calls.count } < 2)
    let second = Invoke(contribution: LinkFixture.time, input: long).json.count
    #expect(await Self.isRefused(link, Self.text(bytes: (64 << 20) - second)))
    #expect(await isUnharmed(fixture))
    fixture.end()
    for call in calls { #expect(await call.value == nil) }
  }
}
