import AgentJSON
import AgentSystem
import Synchronization
import TestSupport
import Testing

@testable import AgentWorkers

/// Changes happen one after the other, and nobody waits for ever.
@Suite(.timeLimit(.minutes(5))) struct ChangeQueueTests {
  /// Pauses that last until they are told to end, each by its number.
  private final class Pauses: Sendable {
    private let state = Mutex<[(length: Duration, signal: StopSignal)]>([])

    func pause(_ length: Duration) async throws {
      let signal = StopSignal()
      state.withLock { $0.append((length, signal)) }
      await signal.wait()
      try Task.checkCancellation()
    }

    /// Ends the pauses of a length, once there are `count` of them.
    func end(_ length: Duration, count: Int) async throws {
      try await wait(while: state.withLock({ $0.count { $0.length == length } }) < count)
      for pause in state.withLock({ $0 }) where pause.length == length { pause.signal.set() }
    }
  }

  @Test func `changes are made one after the other`() async throws {
    let queue = ChangeQueue()
    let (one, first) = (StopSignal(), StopSignal())
    let before = Task {
      try await queue.run("one") {
        await first.wait()
        one.set()
      }
    }
    try await wait(while: await queue.underWay?.what != "one")
    let after = Task { try await queue.run("two") { one.isSet } }
    first.set()
    try await before.value
    #expect(try await after.value)
    #expect(await queue.underWay == nil)
  }

  @Test func `a change that waits behind a stuck one is refused and changes nothing`()
    async throws
  {
    let (pauses, stuck) = (Pauses(), StopSignal())
    let queue = ChangeQueue(now: { 90_000 }, pause: { try await pauses.pause($0) })
    let standing = Task { try await queue.run("a reload") { await stuck.wait() } }
    try await wait(while: await queue.underWay == nil)
    let waiting = Task { try await queue.run("an edit") { Issue.record("it was begun") } }
    try await pauses.end(ChangeQueue.patience, count: 2)
    let error = await #expect(throws: HostError.self) { try await waiting.value }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("a reload has been under way for 0 s") == true)
    stuck.set()
    try await standing.value
    #expect(try await queue.run("the next") { 7 } == 7)
  }

  @Test func `a change past its deadline is told to end, and its caller is answered`() async throws
  {
    let (pauses, stuck) = (Pauses(), StopSignal())
    let queue = ChangeQueue(now: { 0 }, pause: { try await pauses.pause($0) })
    let wasCancelled = FirstAnswer<Bool>()
    let standing = Task {
      try await queue.run("a reload") {
        await stuck.wait()
        wasCancelled.give(Task.isCancelled)
      }
    }
    try await wait(while: await queue.underWay == nil)
    try await pauses.end(ChangeQueue.patience, count: 1)
    try await pauses.end(ChangeQueue.limit, count: 1)
    let error = await #expect(throws: HostError.self) { try await standing.value }
    #expect(error?.code == .deadlineExceeded)
    #expect(await wasCancelled.value)
  }

  @Test func `a failed change lets the next one begin`() async throws {
    let queue = ChangeQueue()
    await #expect(throws: HostError.self) {
      try await queue.run("one") { throw HostError(.failed, "no") }
    }
    #expect(try await queue.run("two") { 2 } == 2)
  }
}
