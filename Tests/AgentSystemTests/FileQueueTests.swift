import AgentSystem
import Dispatch
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FileQueueTests {
  /// Work that blocks a thread until the test lets it go on.
  private final class Block: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let begun = Atomic(false)
    var hasBegun: Bool { begun.load(ordering: .acquiring) }
    func wait() {
      begun.store(true, ordering: .releasing)
      semaphore.wait()
    }
    func end() { semaphore.signal() }
  }

  /// The numbers of the work that has run.
  private final class Order: Sendable {
    private let state = Mutex<[Int]>([])
    var numbers: [Int] { state.withLock { $0 } }
    func add(_ number: Int) { state.withLock { $0.append(number) } }
  }

  /// The time of a queue, whose limits pass when the test says so.
  private final class Clock: Sendable {
    private let limits = Mutex<[CheckedContinuation<Void, Never>]>([])
    var count: Int { limits.withLock(\.count) }
    func pause(_: Duration) async throws {
      await withCheckedContinuation { limit in limits.withLock { $0.append(limit) } }
    }
    /// Lets all limits pass that have begun.
    func pass() {
      let all = limits.withLock { limits in
        defer { limits = [] }
        return limits
      }
      for limit in all { limit.resume() }
    }
  }

  private func reason(_ queue: FileQueue) async -> FileDelay.Reason? {
    do {
      _ = try await queue.run { 1 }
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `work that is stuck holds up no other queue`() async throws {
    let (block, clock) = (Block(), Clock())
    let (first, second) = (FileQueue("a", pause: clock.pause), FileQueue("b"))
    let stuck = Task { try await first.run { block.wait() } }
    try await wait(while: !block.hasBegun)
    #expect(try await second.run { 2 } == 2)
    block.end()
    try await stuck.value
    clock.pass()
  }

  @Test func `work runs in order, one after the other`() async throws {
    let queue = FileQueue("a")
    let (block, order) = (Block(), Order())
    let first = Task {
      try await queue.run {
        block.wait()
        order.add(1)
      }
    }
    try await wait(while: !block.hasBegun)
    let second = Task { try await queue.run { order.add(2) } }
    block.end()
    try await first.value
    try await second.value
    #expect(order.numbers == [1, 2])
  }

  @Test func `work that is late is given up, and what comes after it is refused until it ends`()
    async throws
  {
    let (block, clock) = (Block(), Clock())
    let queue = FileQueue("a", limit: .seconds(7), pause: clock.pause)
    let late = Task { try await queue.run { block.wait() } }
    try await wait(while: !block.hasBegun || clock.count < 1)
    clock.pass()
    await #expect(throws: FileDelay("a", .late(.seconds(7)))) { try await late.value }
    #expect(await reason(queue) == .stuck)
    block.end()
    try await eventually("the queue goes on") { await reason(queue) == nil }
    clock.pass()
  }

  @Test func `work that nobody waits for any more never begins`() async throws {
    let (block, clock) = (Block(), Clock())
    let queue = FileQueue("a", pause: clock.pause)
    let order = Order()
    let first = Task { try await queue.run { block.wait() } }
    try await wait(while: !block.hasBegun)
    let second = Task { try await queue.run { order.add(2) } }
    try await wait(while: clock.count < 2)
    clock.pass()
    await #expect(throws: FileDelay.self) { try await first.value }
    await #expect(throws: FileDelay.self) { try await second.value }
    block.end()
    try await eventually("the queue goes on") { await reason(queue) == nil }
    clock.pass()
    #expect(order.numbers == [])
  }

  @Test func `the calls of a queue are bounded`() async throws {
    let (block, clock) = (Block(), Clock())
    let queue = FileQueue("a", maxCalls: 2, pause: clock.pause)
    let first = Task { try await queue.run { block.wait() } }
    try await wait(while: !block.hasBegun)
    let second = Task { try await queue.run { 2 } }
    try await wait(while: clock.count < 2)
    #expect(await reason(queue) == .busy(2))
    block.end()
    try await first.value
    #expect(try await second.value == 2)
    clock.pass()
  }
}
