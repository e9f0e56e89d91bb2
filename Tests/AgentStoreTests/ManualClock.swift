import AgentStore
import Synchronization

/// A clock that goes when a test says so.
final class ManualClock: Sendable {
  private struct State {
    var now: Int64 = 1_000_000
    var waiting: [(at: Int64, action: @Sendable () -> Void)] = []
  }

  private let state = Mutex(State())

  var clock: StoreClock {
    StoreClock(
      now: { self.state.withLock { $0.now } },
      monotonic: { self.state.withLock { UInt64($0.now) * 1_000_000 } },
      schedule: { delay, action in
        self.state.withLock { $0.waiting.append((at: $0.now + delay, action: action)) }
      })
  }

  var now: Int64 { state.withLock { $0.now } }

  /// How long the next action still waits; nil when none does.
  var nextDelay: Int64? {
    state.withLock { state in state.waiting.map { $0.at - state.now }.min() }
  }

  /// Lets time pass and does what is due.
  func advance(_ milliseconds: Int64) {
    let due = state.withLock { state in
      state.now += milliseconds
      defer { state.waiting.removeAll { $0.at <= state.now } }
      return state.waiting.filter { $0.at <= state.now }
    }
    for entry in due { entry.action() }
  }
}
