internal import DequeModule
internal import Synchronization

/// Limits the number of large answers of `tasks/1` that the host makes for a process at a time. An
/// answer may have megabytes, and a worker may have a thousand open calls. Any thread.
final class AnswerTurns: Sendable {
  private struct State {
    var running = 0
    var waiting: Deque<CheckedContinuation<Void, Never>> = []
  }

  /// The maximum number of turns at a time. It is the same as for queries of `events/1`.
  static let most = 4
  private let state = Mutex(State())

  /// The number of turns that haven't ended.
  var running: Int { state.withLock { $0.running } }
  /// The number of calls that wait for their turn.
  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Waits for the caller's turn. Turns begin in the order of the calls. Cancellation doesn't end
  /// the wait. Each call must be followed by a call of ``end()``.
  func begin() async {
    await withCheckedContinuation { continuation in
      let begins = state.withLock { state in
        guard state.running >= Self.most else {
          state.running += 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if begins { continuation.resume() }
    }
  }

  /// Ends a turn, so that the next one begins.
  func end() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.running -= 1 }
      return next
    }
    next?.resume()
  }
}

/// The turn of one call. A call that waits for a task or an offer begins its turn after the wait,
/// so that other answers aren't delayed.
final class AnswerTurn: Sendable {
  private let turns: AnswerTurns
  private let hasBegun = Mutex(false)

  init(_ turns: AnswerTurns) { self.turns = turns }

  /// Waits until the turn begins. Returns at once if it has begun already.
  func begin() async {
    guard !hasBegun.withLock(\.self) else { return }
    await turns.begin()
    hasBegun.withLock { $0 = true }
  }

  /// Ends the turn. Called once the worker's link has the answer. It does nothing if the turn
  /// hasn't begun.
  func end() {
    let isOver = hasBegun.withLock { hasBegun in
      defer { hasBegun = false }
      return hasBegun
    }
    if isOver { turns.end() }
  }
}
