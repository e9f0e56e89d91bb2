internal import Synchronization

/// Whether a call was cancelled before or after it had a number.
final class CallCancellation: Sendable {
  private enum State {
    case waiting
    case begun(UInt32)
    case cancelled
  }

  private let state = Mutex(State.waiting)

  /// The call has a number now; true when it was cancelled already.
  func began(_ id: UInt32) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return true }
      state = .begun(id)
      return false
    }
  }

  /// The call is no longer wanted; its number, when it has one.
  func cancel() -> UInt32? {
    state.withLock { state in
      defer { state = .cancelled }
      if case .begun(let id) = state { return id }
      return nil
    }
  }
}
