import Synchronization

/// Limits the agents that run at once: each has several processes, and a machine with two cores
/// would otherwise be too busy for any of them to keep a deadline.
final class Slots: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  static let agents = Slots(6)

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  func run<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    await take()
    defer { give() }
    return try await body()
  }

  private func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  private func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
