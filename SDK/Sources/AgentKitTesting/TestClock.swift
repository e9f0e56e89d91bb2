internal import AgentKit
internal import Synchronization

/// A clock whose time changes only when a test moves it.
public final class TestClock: Sendable {
  private struct Sleeper {
    let wakes: Int64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: Int64
    var sleepers: [UInt64: Sleeper] = [:]
    var nextID: UInt64 = 0
    var cancelled: Set<UInt64> = []
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  private let leaps: Bool

  /// Makes a clock that shows `now`, in Unix milliseconds. If it `leaps`, it doesn't wait for the
  /// test: it jumps to the end of each sleep, so that a loop with pauses runs at once.
  public init(now: Int64 = 1_700_000_000_000, leaps: Bool = false) {
    self.leaps = leaps
    state = Mutex(State(now: now))
  }

  /// The time that it shows, in Unix milliseconds.
  public var now: Int64 { state.withLock { $0.now } }

  /// How many tasks sleep on this clock.
  public var sleeping: Int { state.withLock { $0.sleepers.count } }

  /// Moves the time forward and wakes the sleeping tasks that are due, in the order of their times.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state -> [Sleeper] in
      state.now += duration.testMilliseconds
      let due = state.sleepers.filter { $0.value.wakes <= state.now }
      due.keys.forEach { state.sleepers[$0] = nil }
      return due.values.sorted { $0.wakes < $1.wakes }
    }
    woken.forEach { $0.continuation.resume() }
  }

  /// Waits until a task sleeps on this clock. Moving the time then has an effect.
  public func someoneSleeps() async {
    await withCheckedContinuation { continuation in
      let asleep = state.withLock { state in
        if state.sleepers.isEmpty { state.watchers.append(continuation) }
        return !state.sleepers.isEmpty
      }
      if asleep { continuation.resume() }
    }
  }

  /// Waits until the time has moved by `duration`.
  public func sleep(for duration: Duration) async throws {
    if leaps {
      advance(by: duration)
      await Task.yield()
      return try Task.checkCancellation()
    }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { sleep(id, for: duration, continuation: $0) }
    } onCancel: {
      cancel(id)
    }
  }

  private func sleep(
    _ id: UInt64, for duration: Duration, continuation: CheckedContinuation<Void, any Error>
  ) {
    enum Outcome {
      case cancelled, over
      case asleep([CheckedContinuation<Void, Never>])
    }
    let outcome = state.withLock { state -> Outcome in
      if state.cancelled.remove(id) != nil { return .cancelled }
      let wakes = state.now + duration.testMilliseconds
      if wakes <= state.now { return .over }
      state.sleepers[id] = Sleeper(wakes: wakes, continuation: continuation)
      defer { state.watchers = [] }
      return .asleep(state.watchers)
    }
    switch outcome {
    case .cancelled: continuation.resume(throwing: CancellationError())
    case .over: continuation.resume()
    case .asleep(let watchers): watchers.forEach { $0.resume() }
    }
  }

  private func cancel(_ id: UInt64) {
    let sleeper = state.withLock { state -> Sleeper? in
      if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
      state.cancelled.insert(id)
      return nil
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}

extension Duration {
  var testMilliseconds: Int64 { Int64(wholeMilliseconds) }
}
