internal import DequeModule
internal import Synchronization

/// Bounds how many large answers of `tasks/1` a worker has made at a time: each may have megabytes,
/// and a worker may ask for a thousand.
final class AnswerTurns: Sendable {
  private struct State {
    var running = 0
    var waiting: Deque<CheckedContinuation<Void, Never>> = []
  }

  /// As many as queries of `events/1`.
  static let most = 4
  private let state = Mutex(State())

  /// How many wait for their turn.
  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Returns when it is the caller's turn, in the order of the calls.
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

  /// Ends a turn: the next one begins.
  func end() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.running -= 1 }
      return next
    }
    next?.resume()
  }
}

/// The turn of one call. It may begin after the call has waited for something, which no other answer
/// is to wait for.
final class AnswerTurn: Sendable {
  private let turns: AnswerTurns
  private let hasBegun = Mutex(false)

  init(_ turns: AnswerTurns) { self.turns = turns }

  /// Returns when it is its turn; at once where it has begun.
  func begin() async {
    guard !hasBegun.withLock(\.self) else { return }
    await turns.begin()
    hasBegun.withLock { $0 = true }
  }

  /// Ends it, once its answer was given to the worker. Also where it hasn't begun.
  func end() {
    let isOver = hasBegun.withLock { hasBegun in
      defer { hasBegun = false }
      return hasBegun
    }
    if isOver { turns.end() }
  }
}
