internal import Synchronization

/// The cancellation of a call, which may come before or after the call has a number. The caller's
/// thread, the loop's thread and the thread that cancels use it.
final class CallCancellation: Sendable {
  private enum State {
    case waiting
    case begun(UInt32)
    case cancelled(isOverdue: Bool)
  }

  /// Whether the call has ended and no task waits for it.
  private let isEnded = Atomic(false)

  private let state = Mutex(State.waiting)

  /// Whether the call was cancelled because its time-out was over.
  var isOverdue: Bool {
    state.withLock { state in
      if case .cancelled(isOverdue: true) = state { return true }
      return false
    }
  }

  /// Whether the call has ended.
  var hasEnded: Bool { isEnded.load(ordering: .relaxed) }

  /// Records that the call has ended.
  func end() { isEnded.store(true, ordering: .relaxed) }

  /// Records the number of the call. Returns true if the call was cancelled before.
  func began(_ id: UInt32) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return true }
      state = .begun(id)
      return false
    }
  }

  /// Cancels the call. Returns its number if it has one and wasn't cancelled before, else `nil`.
  /// The caller sends CANCEL only if it gets a number, so CANCEL is sent once.
  func cancel(isOverdue: Bool = false) -> UInt32? {
    state.withLock { state in
      if case .cancelled = state { return nil }
      defer { state = .cancelled(isOverdue: isOverdue) }
      if case .begun(let id) = state { return id }
      return nil
    }
  }
}
