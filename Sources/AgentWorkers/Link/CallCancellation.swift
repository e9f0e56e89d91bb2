internal import Synchronization

/// Whether a call was cancelled before or after it had a number, and why. Several threads use it:
/// the caller's, the loop's and the one that cancels.
final class CallCancellation: Sendable {
  private enum State {
    case waiting
    case begun(UInt32)
    case cancelled(isOverdue: Bool)
  }

  /// Whether the call is over, and nobody waits for it.
  private let isEnded = Atomic(false)

  private let state = Mutex(State.waiting)

  /// Whether it was cancelled because its time was over.
  var isOverdue: Bool {
    state.withLock { state in
      if case .cancelled(isOverdue: true) = state { return true }
      return false
    }
  }

  /// Whether the call is over.
  var hasEnded: Bool { isEnded.load(ordering: .relaxed) }

  /// The call is over.
  func end() { isEnded.store(true, ordering: .relaxed) }

  /// The call has a number now; true when it was cancelled already.
  func began(_ id: UInt32) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return true }
      state = .begun(id)
      return false
    }
  }

  /// Cancels the call. Returns its number if it has one and wasn't cancelled before, so that CANCEL
  /// is sent once.
  func cancel(isOverdue: Bool = false) -> UInt32? {
    state.withLock { state in
      if case .cancelled = state { return nil }
      defer { state = .cancelled(isOverdue: isOverdue) }
      if case .begun(let id) = state { return id }
      return nil
    }
  }
}
