import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AgentSupervision

@Suite(.timeLimit(.minutes(5))) struct EventLoopTests {
  @Test func `a scheduled call is made and a cancelled one is not`() async throws {
    let loop = try EventLoop()
    let calls = Mutex<[String]>([])
    await withCheckedContinuation { done in
      loop.execute {
        loop.cancel(loop.schedule(after: .zero) { calls.withLock { $0.append("cancelled") } })
        loop.schedule(after: .milliseconds(1)) {
          calls.withLock { $0.append("late") }
          done.resume()
        }
        calls.withLock { $0.append("now") }
      }
    }
    #expect(calls.withLock { $0 } == ["now", "late"])
  }

  @Test func `a timer of another thread that is due first isn't delayed by a later one`()
    async throws
  {
    let loop = try EventLoop()
    await withCheckedContinuation { done in
      loop.schedule(after: .seconds(3600)) {}
      // Runs once the loop has seen the first timer; it sleeps for an hour after this.
      loop.execute { done.resume() }
    }
    await withCheckedContinuation { done in
      loop.schedule(after: .milliseconds(5)) { done.resume() }
    }
  }

  @Test func `an event of a closed descriptor doesn't reach the next owner of its number`()
    async throws
  {
    let loop = try EventLoop()
    let calls = Mutex<[String]>([])
    let pipes = Mutex<[[Int32]]>([])
    await withCheckedContinuation { done in
      loop.execute {
        let first = pipe()
        let second = pipe()
        // Both are readable in one batch; whichever comes first closes the other and reuses its
        // number for a pipe without data.
        let reused = Mutex(false)
        @Sendable func watch(_ mine: [Int32], _ other: [Int32], name: String) {
          _ = loop.register(mine[0], for: .readable) { _ in
            let isFirst = reused.withLock { reused in
              defer { reused = true }
              return !reused
            }
            calls.withLock { $0.append(name) }
            guard isFirst else { return }
            var byte: UInt8 = 0
            _ = read(mine[0], &byte, 1)
            others.withLock { $0[name] }.map(loop.deregister)
            let empty = pipe()
            dup2(empty[0], other[0])
            _ = loop.register(other[0], for: .readable) { _ in calls.withLock { $0.append("stale") }
            }
            pipes.withLock { $0 = [mine, other, empty] }
          }.map { registration in others.withLock { $0[name == "a" ? "b" : "a"] = registration } }
        }
        watch(first, second, name: "a")
        watch(second, first, name: "b")
        write(first[1], "x", 1)
        write(second[1], "x", 1)
        loop.schedule(after: .milliseconds(10)) { done.resume() }
      }
    }
    #expect(calls.withLock { $0.count } == 1)
  }

  @Test func `an actor on the loop runs on its thread`() async throws {
    let loop = try EventLoop()
    let resident = Resident(loop)
    for _ in 0..<100 { #expect(await resident.isOnLoop) }
  }

  /// A timer often judges silence: it must not come before what broke the silence.
  @Test func `what arrives while the loop is held up is read before timers that become due then`()
    async throws
  {
    let time = Mutex(LoopInstant(nanoseconds: 0))
    let loop = try EventLoop(
      name: "held up", admits: { _ in true }, time: { time.withLock(\.self) })
    let (holding, socket) = (pipe(), pipe())
    defer { for end in holding + socket { close(end) } }
    let order = Mutex<[String]>([])
    let isHeldUp = Atomic(false)
    let goesOn = DispatchSemaphore(value: 0)
    @Sendable func take(_ descriptor: Int32) {
      var byte: UInt8 = 0
      _ = read(descriptor, &byte, 1)
    }
    _ = loop.register(holding[0], for: .readable) { _ in
      take(holding[0])
      isHeldUp.store(true, ordering: .relaxed)
      goesOn.wait()
    }
    _ = loop.register(socket[0], for: .readable) { _ in
      take(socket[0])
      order.withLock { $0.append("read") }
    }
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    loop.schedule(after: .seconds(1)) {
      order.withLock { $0.append("timer") }
      end.yield()
    }
    write(holding[1], "x", 1)
    try await wait(while: !isHeldUp.load(ordering: .relaxed))
    write(socket[1], "x", 1)
    time.withLock { $0 = $0 + .seconds(1) }
    goesOn.signal()
    for await _ in ended { break }
    #expect(order.withLock(\.self) == ["read", "timer"])
  }
}

private let others = Mutex<[String: LoopRegistration]>([:])

private func pipe() -> [Int32] {
  var ends: [Int32] = [-1, -1]
  _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
  return ends
}

private actor Resident {
  let loop: EventLoop

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  var isOnLoop: Bool { loop.isCurrent }
}
