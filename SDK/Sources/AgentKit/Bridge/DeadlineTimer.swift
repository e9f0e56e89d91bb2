internal import Synchronization

/// Wakes once, at the earliest requested time.
///
/// Calls mostly arrive in the order of their deadlines, and mostly end in time. One sleeping task
/// therefore serves all calls of an instance, and a call that ends causes no work.
final class DeadlineTimer: Sendable {
  private struct State {
    var time: Int64 = .max
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Calls `body` at `time`, unless an earlier wake-up is set.
  func wake(at time: Int64, now: Int64, _ body: @escaping @Sendable () -> Void) {
    let (wait, overflow) = time.subtractingReportingOverflow(now)
    guard !overflow else { return }
    state.withLock { state in
      guard time < state.time else { return }
      state.task?.cancel()
      state.time = time
      state.task = Task { [weak self] in
        try? await Task.sleep(for: .milliseconds(max(wait, 0)))
        guard !Task.isCancelled, let self else { return }
        self.state.withLock { $0.time = .max }
        body()
      }
    }
  }

  /// Cancels the wake-up.
  func cancel() {
    state.withLock { state in
      state.task?.cancel()
      state = State()
    }
  }
}
