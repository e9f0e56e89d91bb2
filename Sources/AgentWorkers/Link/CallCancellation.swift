internal import Synchronization

/// The cancellation of a call, which may come before or after the call has a number. The caller's
/// thread, the loop's thread and the thread that cancels use it.
final class CallCancellation: Sendable {
  private enum State {
    case waiting
    case begun(UInt32)
    case cancelled(isOverdue: Bool)
    /// The result has arrived. Nothing cancels the call any more.
    case ended(isOverdue: Bool)
  }

  private let state = Mutex(State.waiting)

  /// Whether the call was cancelled because its time-out was over before its result arrived.
  var isOverdue: Bool {
    state.withLock { state in
      switch state {
      case .waiting, .begun: false
      case .cancelled(let isOverdue), .ended(let isOverdue): isOverdue
      }
    }
  }

  /// Whether the result has arrived.
  var hasEnded: Bool {
    state.withLock { state in
      if case .ended = state { true } else { false }
    }
  }

  /// Records that the result has arrived. A time-out after it has no effect.
  func end() {
    state.withLock { state in
      switch state {
      case .waiting, .begun: state = .ended(isOverdue: false)
      case .cancelled(let isOverdue): state = .ended(isOverdue: isOverdue)
      case .ended: break
      }
    }
  }

  /// Records the number of the call. Returns true if the call was cancelled before and hasn't ended.
  func began(_ id: UInt32) -> Bool {
    state.withLock { state in
      switch state {
      case .waiting, .begun:
        state = .begun(id)
        return false
      case .cancelled: return true
      // The worker has answered before the caller could record the number.
      case .ended: return false
      }
    }
  }

  /// Cancels the call. Returns its number if it has one, wasn't cancelled before and hasn't ended,
  /// else `nil`. The caller sends CANCEL only if it gets a number, so CANCEL is sent once.
  func cancel(isOverdue: Bool = false) -> UInt32? {
    state.withLock { state in
      switch state {
      case .waiting:
        state = .cancelled(isOverdue: isOverdue)
        return nil
      case .begun(let id):
        state = .cancelled(isOverdue: isOverdue)
        return id
      case .cancelled, .ended: return nil
      }
    }
  }
}
