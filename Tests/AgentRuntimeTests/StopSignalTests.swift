import AgentStore
import Synchronization
import Testing

@testable import AgentRuntime

@Suite(.timeLimit(.minutes(5))) struct StopSignalTests {
  @Test func `it is heard by who waits, who comes later, and each action once`() async throws {
    let (signal, first, second) = (StopSignal(), StopSignal(), StopSignal())
    let waiting = Task { await signal.wait() }
    signal.whenSet { first.set() }
    let forgotten = signal.whenSet { Issue.record("it was taken back") }
    signal.forget(forgotten)
    #expect(signal.set())
    #expect(!signal.set())
    await waiting.value
    await signal.wait()
    signal.whenSet { second.set() }
    #expect(first.isSet && second.isSet && signal.isSet)
  }

  @Test func `a wait ends with its task`() async {
    let signal = StopSignal()
    let waiting = Task { await signal.wait() }
    waiting.cancel()
    await waiting.value
    #expect(!signal.isSet)
  }

  @Test func `work is waited for until the signal, and not longer`() async throws {
    let (signal, never) = (StopSignal(), StopSignal())
    #expect(try await signal.unlessSet(Task { 7 }) == 7)
    await #expect(throws: CancellationError.self) {
      try await signal.unlessSet(Task<Int, any Error> { throw CancellationError() })
    }
    let work = Task<Int, any Error> {
      await never.wait()
      return 1
    }
    let waiting = Task { try await signal.unlessSet(work) }
    signal.set()
    #expect(try await waiting.value == nil)
    never.set()
  }
}

@Suite struct StoreHindranceTests {
  private final class Clock: Sendable {
    private let state = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { state.withLock { $0 } }
    func advance(_ time: Duration) { state.withLock { $0 += time } }
  }

  @Test func `ends count as the database's fault until a moment after it takes writes again`() {
    let clock = Clock()
    let hindrance = StoreHindrance(now: { clock.now })
    #expect(!hindrance.lasts)
    #expect(!hindrance.changed(to: .ready))
    let full = StoreCondition.full(.init(since: 0, message: "There is no room."))
    #expect(!hindrance.changed(to: full))
    clock.advance(.seconds(3600))
    #expect(hindrance.lasts)
    #expect(hindrance.changed(to: .ready))
    #expect(hindrance.lasts)
    clock.advance(StoreHindrance.echo)
    #expect(!hindrance.lasts)
    #expect(!hindrance.changed(to: .ready))
  }
}
