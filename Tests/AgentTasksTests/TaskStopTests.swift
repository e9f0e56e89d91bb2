import AgentStore
import AgentTasks
import AgentTasksTesting
import Synchronization
import TestSupport
import Testing

/// Attempts, waits and hosts that are stopped.
@Suite struct TaskStopTests {
  @Test func `an executor may ask the engine while its attempt is cancelled`() async throws {
    let curious = Curious()
    let test = try await EngineUnderTest.started { plan in
      plan.types["curious"] = TaskType(
        name: "curious", description: "", source: "test", executor: curious)
    }
    curious.engine.withLock { $0 = test.engine }
    let task = try await test.create(type: "curious")
    try await eventually("it has begun") { curious.engine.withLock { $0 == nil } }
    _ = try await test.engine.cancel(task.id, by: "bob")
    let done = try await test.engine.wait(for: task.id, milliseconds: 60_000)
    #expect(done.state == .cancelled && curious.answer.withLock { $0 } == 1)
    await test.remove()
  }

  @Test func `an executor that ignores a stop doesn't keep the host from ending`() async throws {
    let deaf = Deaf()
    let test = try await EngineUnderTest.started { plan in
      plan.types["deaf"] = TaskType(name: "deaf", description: "", source: "test", executor: deaf)
    }
    let task = try await test.create(type: "deaf")
    // An attempt that is stored as running needn't have begun. One that hasn't isn't waited for.
    try await eventually("it has begun") { deaf.hasBegun.load(ordering: .relaxed) }
    let stopped = Task { await test.stop() }
    // Until the end waits for it, and no longer than it is to.
    try await eventually("the end waits") { test.clock.hasSleeper(of: 2_000) }
    test.clock.advance(2_000)
    await stopped.value
    let next = try await EngineUnderTest.started(owner: "second", after: test)
    let row = try await next.engine.task(task.id)
    #expect(row.state == .queued && row.attempt == 1)
    await next.remove()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a stop without a grace ends the host, even if its timer fires first`() async throws {
    let test = try await EngineUnderTest.started(on: EagerExecutor()) { plan in
      plan.stopGrace = 0
      plan.types["deaf"] = TaskType(
        name: "deaf", description: "", source: "test", executor: Deaf())
    }
    let task = try await test.create(type: "deaf")
    _ = try await test.reached(task.id, .running)
    await test.stop()
    let next = try await EngineUnderTest.started(slots: 0, owner: "second", after: test)
    #expect(try await next.engine.task(task.id).state == .queued)
    await next.remove()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a wait of no time ends at once, even if its timer fires first`() async throws {
    let test = try await EngineUnderTest.started(on: EagerExecutor())
    let task = try await test.create()
    _ = try await test.reached(task.id, .running)
    await #expect {
      try await test.engine.wait(for: task.id, milliseconds: 0)
    } throws: {
      ($0 as? TaskError)?.code == .timedOut
    }
    #expect(try await test.engine.waited(for: task.id, milliseconds: 0).state == .running)
    await test.remove()
  }

  @Test(.timeLimit(.minutes(5)))
  func `waits end with the task's current state when the host ends, later ones too`() async throws {
    let test = try await EngineUnderTest.started()
    let task = try await test.create()
    let waiting = Task { try await test.engine.waited(for: task.id, milliseconds: 3_600_000) }
    test.engine.endWaits()
    #expect(try await waiting.value.state.isEnded == false)
    #expect(try await test.engine.waited(for: task.id, milliseconds: 3_600_000).id == task.id)
    await test.remove()
  }
}

/// Never ends, whatever is asked of it.
private final class Deaf: TaskExecutor {
  let hasBegun = Atomic(false)

  func run(_ work: TaskWork) async throws -> TaskOutcome {
    hasBegun.store(true, ordering: .relaxed)
    return await withUnsafeContinuation { (_: UnsafeContinuation<TaskOutcome, Never>) in }
  }
}

/// Asks the engine how many attempts run, within the call that cancels its own attempt.
private final class Curious: TaskExecutor {
  /// Taken when the attempt begins.
  let engine = Mutex<TaskEngine?>(nil)
  let answer = Mutex<Int?>(nil)
  private let stop = AsyncStream.makeStream(of: Void.self)

  func run(_ work: TaskWork) async throws -> TaskOutcome {
    let engine = engine.withLock { $0.take() }
    await withTaskCancellationHandler {
      for await _ in stop.stream {}
    } onCancel: {
      answer.withLock { $0 = engine?.running }
      stop.continuation.finish()
    }
    return .cancelled()
  }
}
