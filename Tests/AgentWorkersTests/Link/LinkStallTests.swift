import AgentWorkerProtocol
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AgentSupervision
@testable import AgentWorkers

/// A loop that a test holds up, and whose clock it moves.
private final class HeldLoop: Sendable {
  private final class Clock: Sendable {
    let now = Mutex(LoopInstant(nanoseconds: 0))
  }

  let loop: EventLoop
  private let clock = Clock()
  private let isHeldUp = Atomic(false)
  private let goesOn = DispatchSemaphore(value: 0)

  init() throws {
    let clock = clock
    loop = try EventLoop(
      name: "held up", admits: { _ in true }, time: { clock.now.withLock(\.self) })
  }

  /// Holds up the loop while it handles a descriptor: it reads nothing before its timers then.
  func hold() async throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    let (near, far) = (ends[0], ends[1])
    _ = loop.register(near, for: .readable) { [self] _ in
      var byte: UInt8 = 0
      _ = read(near, &byte, 1)
      isHeldUp.store(true, ordering: .relaxed)
      goesOn.wait()
    }
    write(far, "x", 1)
    try await wait(while: !isHeldUp.load(ordering: .relaxed))
  }

  func letGo() { goesOn.signal() }

  func advance(by duration: Duration) { clock.now.withLock { $0 = $0 + duration } }

  /// Returns once the timers have run that are due.
  func runTimers() async {
    // The calls of a round follow its timers.
    await withCheckedContinuation { done in loop.execute { done.resume() } }
  }
}

/// Calls of a host that was held up when their time was over.
@Suite(.timeLimit(.minutes(5))) struct LinkStallTests {
  private let held: HeldLoop
  private let fixture: LinkFixture

  init() throws {
    held = try HeldLoop()
    fixture = try LinkFixture(on: held.loop)
  }

  /// Begins a call that has five seconds.
  private func call() -> Task<[UInt8], any Error> {
    Task { [link = fixture.link] in
      try await link.invoke(
        LinkFixture.time, input: Array("{}".utf8), deadline: 0, timeout: .seconds(5))
    }
  }

  private func answer(_ invoke: Frame) async {
    await fixture.worker.send { session in
      [session.finish(invoke.id, .success(Array("1".utf8)))].compactMap { $0 }
    }
  }

  /// Returns whether the link reads a further frame and has reported no breach before.
  private func isUnharmed() async -> Bool {
    await fixture.worker.send { _ in [Frame(.heartbeat)] }
    return await fixture.report() == .alive
  }

  @Test func `an answer that arrives while the host is held up is returned`() async throws {
    defer { fixture.end() }
    try await fixture.run()
    try await held.hold()
    let call = call()
    await answer(try await fixture.worker.expect(.invoke))
    held.advance(by: .seconds(7))
    held.letGo()
    #expect(try await call.value == Array("1".utf8))
    #expect(await isUnharmed())
  }

  @Test func `a worker has two seconds from its CANCEL, however long the host was held up`()
    async throws
  {
    defer { fixture.end() }
    try await fixture.run()
    try await held.hold()
    let call = call()
    let invoke = try await fixture.worker.expect(.invoke)
    held.advance(by: .seconds(60))
    held.letGo()
    _ = try await fixture.worker.expect(.cancel)
    await held.runTimers()
    #expect(await isUnharmed())
    await answer(invoke)
    let error = await #expect(throws: WorkerError.self) { try await call.value }
    #expect(error?.code == .deadlineExceeded)
    held.advance(by: .seconds(60))
    await held.runTimers()
    #expect(await isUnharmed())
  }

  @Test func `a worker whose events waited when its call was overdue is judged later`() async throws
  {
    defer { fixture.end() }
    try await fixture.run()
    let call = call()
    _ = try await fixture.worker.expect(.invoke)
    held.advance(by: .seconds(5))
    await held.runTimers()
    _ = try await fixture.worker.expect(.cancel)
    fixture.link.withState { $0.publishing = WorkerLink.maxPublishing + 1 }
    held.advance(by: .seconds(2))
    await held.runTimers()
    fixture.link.withState { $0.publishing = 0 }
    held.advance(by: .seconds(2))
    await held.runTimers()
    held.advance(by: .milliseconds(200))
    await held.runTimers()
    guard case .breach = await fixture.report() else {
      Issue.record("The worker was never judged.")
      return call.cancel()
    }
    fixture.end()
    await #expect(throws: WorkerError.self) { try await call.value }
  }

  @Test func `a worker that doesn't end a cancelled call is looked at once more`() async throws {
    defer { fixture.end() }
    try await fixture.run()
    let call = call()
    _ = try await fixture.worker.expect(.invoke)
    held.advance(by: .seconds(5))
    await held.runTimers()
    _ = try await fixture.worker.expect(.cancel)
    held.advance(by: .seconds(2))
    await held.runTimers()
    #expect(await isUnharmed())
    held.advance(by: .milliseconds(200))
    await held.runTimers()
    let report = await fixture.report()
    guard case .breach(let reason) = report else {
      Issue.record("\(String(describing: report))")
      return call.cancel()
    }
    #expect(reason.contains("didn't end a call"))
    fixture.end()
    await #expect(throws: WorkerError.self) { try await call.value }
  }
}
