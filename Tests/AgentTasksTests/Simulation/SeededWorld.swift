import AgentSystem
import AgentTasks
import Synchronization
import TestSupport

/// Runs what is ready one piece at a time, on the thread that says so and in the order that it says.
final class SteppedExecutor: _Concurrency.TaskExecutor {
  private let ready = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    ready.withLock { $0.append(job) }
  }

  var count: Int { ready.withLock { $0.count } }

  func run(_ place: Int) {
    let job = ready.withLock { $0.remove(at: place) }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// A clock that a test moves. Moving it wakes its sleepers; setting it wakes nobody.
final class SteppedClock: Sendable {
  private struct Sleeper {
    /// By how much time has passed.
    let until: Int64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: Int64 = 1_700_000_000_000
    var passed: Int64 = 0
    var last = 0
    var sleepers: [Int: Sleeper] = [:]
  }

  private let state = Mutex(State())

  var now: Int64 { state.withLock { $0.now } }

  /// How much time has passed, whatever the clock was set to.
  var steady: Duration { .milliseconds(passed) }
  var passed: Int64 { state.withLock { $0.passed } }

  /// In how many milliseconds the first who sleeps is to be woken.
  var nextWake: Int64? {
    state.withLock { state in
      state.sleepers.values.map(\.until).min().map { $0.subtracting(state.passed) }
    }
  }

  /// Somebody sets it.
  func jump(by milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

  func advance(_ milliseconds: Int64) {
    let woken = state.withLock { state in
      state.now += milliseconds
      state.passed += milliseconds
      let woken = state.sleepers.filter { $0.value.until <= state.passed }
      for number in woken.keys { state.sleepers[number] = nil }
      return woken.sorted { $0.key < $1.key }
    }
    for sleeper in woken { sleeper.value.continuation.resume() }
  }

  func pause(_ duration: Duration) async throws {
    let milliseconds = duration.wholeMilliseconds
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { state in
          state.sleepers[number] = Sleeper(
            until: state.passed.adding(milliseconds), continuation: continuation)
        }
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
