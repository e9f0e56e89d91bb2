internal import Synchronization

/// An answer that several may give, of which the first counts; one task waits for it. Safe from every
/// thread.
package final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case given(Value)
  }

  private let state = Mutex(State.open)

  /// Nobody has given it yet.
  package init() {}

  /// Gives the answer; nothing happens when there is one already.
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
    waiting?.resume(returning: answer)
  }

  /// The answer, as soon as there is one. One task asks for it.
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
