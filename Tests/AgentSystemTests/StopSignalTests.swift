import Testing

@testable import AgentSystem

@Suite(.timeLimit(.minutes(5))) struct StopSignalTests {
  @Test func `a stop signal reaches current and later waiters, and runs each action once`()
    async throws
  {
    let signal = StopSignal()
    let first = StopSignal()
    let second = StopSignal()
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

  @Test func `work is awaited until the signal and no longer`() async throws {
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
