import Dispatch
import Synchronization
import Testing

@testable import AgentTasks

/// The clock of leases, asked by two threads at the moment at which somebody sets it.
@Suite struct LeaseClockTests {
  /// A wall clock that is only ever set, and what was said of that.
  private final class Wall: Sendable {
    private struct State {
      var now: Int64 = 0
      var told: [Int64] = []
      var hook: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var told: [Int64] { state.withLock { $0.told } }

    func set(_ now: Int64) { state.withLock { $0.now = now } }
    func tell(_ jump: Int64) { state.withLock { $0.told.append(jump) } }
    /// Does something once, for the first caller.
    func once(_ hook: @escaping @Sendable () -> Void) { state.withLock { $0.hook = hook } }
    func runHook() { state.withLock { $0.hook.take() }?() }
    func read() -> Int64 { state.withLock { $0.now } }
  }

  @Test func `a sample from before a jump isn't taken for a jump back`() {
    let wall = Wall()
    let clock = LeaseClock(
      wall: {
        let now = wall.read()
        wall.runHook()
        return now
      }, steady: { .zero })
    clock.whenJumped { wall.tell($0) }
    _ = clock.now()
    let (isReading, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let end = DispatchSemaphore(value: 0)
    wall.once {
      isReading.signal()
      // For one that mustn't overtake it, and waits for the lock meanwhile.
      _ = other.wait(timeout: .now() + .milliseconds(50))
    }
    DispatchQueue.global().async {
      _ = clock.now()
      end.signal()
    }
    isReading.wait()
    wall.set(1_000)
    _ = clock.now()
    other.signal()
    end.wait()
    #expect(wall.told == [1_000])
  }

  @Test func `the new time is used only after the jump was reported`() {
    let wall = Wall()
    let clock = LeaseClock(wall: { wall.read() }, steady: { .zero })
    let (isTelling, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let end = DispatchSemaphore(value: 0)
    clock.whenJumped {
      isTelling.signal()
      _ = other.wait(timeout: .now() + .milliseconds(50))
      wall.tell($0)
    }
    _ = clock.now()
    wall.set(1_000)
    DispatchQueue.global().async {
      _ = clock.now()
      end.signal()
    }
    isTelling.wait()
    #expect(clock.now() == 1_000)
    #expect(wall.told == [1_000])
    other.signal()
    end.wait()
  }
}
