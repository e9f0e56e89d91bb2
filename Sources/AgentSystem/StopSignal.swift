internal import Synchronization

/// Something that is said once and heard by everybody: those who wait for it, those who registered
/// what to do then, and those who ask later.
package final class StopSignal: Sendable {
  private struct State {
    var isSet = false
    var last = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether it was said.
  package var isSet: Bool { state.withLock { $0.isSet } }

  /// Says it.
  /// - Returns: whether nobody had said it before.
  @discardableResult
  package func set() -> Bool {
    let actions = state.withLock { state -> [@Sendable () -> Void]? in
      if state.isSet { return nil }
      state.isSet = true
      defer { state.actions = [:] }
      return Array(state.actions.values)
    }
    for action in actions ?? [] { action() }
    return actions != nil
  }

  /// Does something when it is said, at once when it was already. The action must not wait.
  /// - Returns: what ``forget(_:)`` takes.
  @discardableResult
  package func whenSet(_ action: @escaping @Sendable () -> Void) -> Int {
    let number = state.withLock { state -> Int? in
      if state.isSet { return nil }
      state.last += 1
      state.actions[state.last] = action
      return state.last
    }
    if number == nil { action() }
    return number ?? 0
  }

  /// Takes an action back.
  package func forget(_ number: Int) {
    state.withLock { _ = $0.actions.removeValue(forKey: number) }
  }

  /// Returns when it is said, or when the task is cancelled.
  package func wait() async {
    let answer = FirstAnswer<Void>()
    let number = whenSet { answer.give(()) }
    defer { forget(number) }
    await withTaskCancellationHandler {
      await answer.value
    } onCancel: {
      answer.give(())
    }
  }

  /// What a piece of work gives; nil when this is said first. The work goes on then: it may be at
  /// something that can't be ended, such as a migration, and nobody waits for it any more.
  package func unlessSet<Value: Sendable>(_ work: Task<Value, any Error>) async throws -> Value? {
    let answer = FirstAnswer<Result<Value?, any Error>>()
    let number = whenSet { answer.give(.success(nil)) }
    defer { forget(number) }
    Task {
      answer.give(await work.result.map(Optional.some))
    }
    return try await answer.value.get()
  }
}
