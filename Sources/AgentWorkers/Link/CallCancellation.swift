internal import Synchronization

/// Whether a call was cancelled before or after it had a number, and why.
final class CallCancellation: Sendable {
  private enum State {
    case waiting
    case begun(UInt32)
    case cancelled(isOverdue: Bool)
  }

  private let state = Mutex(State.waiting)

  /// Whether it was cancelled because its time was over.
  var isOverdue: Bool {
    state.withLock { state in
      if case .cancelled(isOverdue: true) = state { return true }
      return false
    }
  }

  /// The call has a number now; true when it was cancelled already.
  func began(_ id: UInt32) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return true }
      state = .begun(id)
      return false
    }
  }

  /// The call is no longer wanted; its number, when it has one and wasn't cancelled before.
  func cancel(isOverdue: Bool = false) -> UInt32? {
    state.withLock { state in
      if case .cancelled = state { return nil }
      defer { state = .cancelled(isOverdue: isOverdue) }
      if case .begun(let id) = state { return id }
      return nil
    }
  }
}
