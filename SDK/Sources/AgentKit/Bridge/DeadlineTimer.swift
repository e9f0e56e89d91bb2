internal import Synchronization

/// Wakes once, at the earliest time that it was asked for.
///
/// Calls mostly come with deadlines in the order of their arrival, and mostly end in time: so one
/// sleeping task serves all calls of an instance, and an ended call disturbs nobody.
final class DeadlineTimer: Sendable {
  private struct State {
    var time: Int64 = .max
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Calls `body` at `time` unless it is to wake earlier anyway.
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

  /// Forgets what it was asked for.
  func cancel() {
    state.withLock { state in
      state.task?.cancel()
      state = State()
    }
  }
}
