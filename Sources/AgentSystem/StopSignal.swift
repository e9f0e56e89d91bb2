internal import Synchronization

/// A signal that is set once. Tasks can wait for it, register actions, and ask whether it is set.
/// Safe from every thread.
package final class StopSignal: Sendable {
  private struct State {
    var isSet = false
    var last = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether the signal is set.
  package var isSet: Bool { state.withLock { $0.isSet } }

  /// Sets the signal and runs the registered actions.
  /// - Returns: whether this call has set it.
  @discardableResult
  package func set() -> Bool {
    let actions = state.withLock { state -> [@Sendable () -> Void]? in
      if state.isSet { return nil }
      state.isSet = true
      defer { state.actions = [:] }
      return Array(state.actions.values)
    }
    // The actions run outside of the lock, because they may call this object.
    for action in actions ?? [] { action() }
    return actions != nil
  }

  /// Registers an action for the moment when the signal is set. If it is set already, the action
  /// runs at once. The action must not block.
  /// - Returns: a number for ``forget(_:)``.
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

  /// Removes an action.
  package func forget(_ number: Int) {
    state.withLock { _ = $0.actions.removeValue(forKey: number) }
  }

  /// Waits until the signal is set or the task is cancelled.
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

  /// Waits for the result of some work. Returns nil if the signal is set first. The work then
  /// continues without a waiting caller, because some work can't be cancelled, such as a migration.
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
