internal import Synchronization

/// Ends the wait for a log that isn't opened.
extension EventBus {
  /// Called when the log won't be opened after all. Calls that wait for it go on without one, and
  /// events are remembered for a while and not stored. Does nothing once the log is open.
  public func giveUpLog() {
    let waiting = state.withLock { state -> [@Sendable () -> Void] in
      guard case .awaited(let waiting) = state.log else { return [] }
      state.log = .none
      return waiting
    }
    // Outside of the lock, which each of them takes.
    for entry in waiting { entry() }
  }
}
