internal import Synchronization

/// What becomes of a bus whose log isn't opened.
extension EventBus {
  /// The log won't be opened after all: who waits for it learns that there is none, and what is
  /// published is remembered for a while and not stored. Nothing happens once it is open.
  public func giveUpLog() {
    let waiting = state.withLock { state -> [@Sendable () -> Void] in
      guard case .awaited(let waiting) = state.log else { return [] }
      state.log = .none
      return waiting
    }
    for entry in waiting { entry() }
  }
}
