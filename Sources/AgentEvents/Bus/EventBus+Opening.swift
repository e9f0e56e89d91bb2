internal import Synchronization

/// Ends the wait for a log that can't be opened.
extension EventBus {
  /// Reports that the log won't be opened. Calls that wait for it continue without one. Events are
  /// then remembered for a while and not stored. Does nothing if the log is open.
  public func giveUpLog() {
    let waiting = state.withLock { state -> [@Sendable () -> Void] in
      guard case .awaited(let waiting) = state.log else { return [] }
      state.log = .none
      return waiting
    }
    // Each call takes the lock, so this is outside of it.
    for entry in waiting { entry() }
  }
}
