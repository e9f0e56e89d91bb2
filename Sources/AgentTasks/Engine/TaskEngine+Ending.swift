internal import Synchronization

/// What the end of the host means for who waits.
extension TaskEngine {
  /// Ends every wait for a task, and each that begins from now on, with the task as it is: the host
  /// ends, and a wait would keep it.
  public func endWaits() {
    let waiters = state.withLock { state in
      state.endsWaits = true
      defer { state.waiters = [:] }
      return state.waiters.values.flatMap(\.self)
    }
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
  }
}
