internal import Synchronization

/// An answer that several callers may give. The first one counts. One task waits for it. Safe from
/// every thread.
package final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case given(Value)
  }

  private let state = Mutex(State.open)

  /// Makes one without an answer.
  package init() {}

  /// Gives the answer. Does nothing if there is one already.
  package func give(_ answer: Value) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .open:
        state = .given(answer)
        return nil
      case .awaited(let continuation):
        state = .given(answer)
        return continuation
      case .given: return nil
      }
    }
    // The resumption is outside of the lock, because the waiting task may run at once.
    waiting?.resume(returning: answer)
  }

  /// Waits for the answer. Only one task may call it.
  package var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let given = state.withLock { state -> Value? in
          if case .given(let answer) = state { return answer }
          state = .awaited(continuation)
          return nil
        }
        if let given { continuation.resume(returning: given) }
      }
    }
  }
}
