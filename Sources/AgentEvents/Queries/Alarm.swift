internal import AgentSystem
internal import Synchronization

/// Calls back when a moment of the bus's clock has come. Safe from every thread.
final class Alarm: Sendable {
  private struct Pending {
    let number: Int
    /// When it rings, by the clock as it was then.
    let moment: Int64
    let task: Task<Void, Never>
  }

  /// The longest wait in milliseconds, so that a clock that is set forward is noticed.
  private static let longest: Int64 = 1_000
  /// The shortest wait in milliseconds, so that a moment that doesn't pass costs little.
  private static let shortest: Int64 = 10

  private let pause: @Sendable (Duration) async throws -> Void
  private let ring: @Sendable () -> Void
  private let state = Mutex<(pending: Pending?, lastNumber: Int)>((nil, 0))

  /// - Parameters:
  ///   - pause: waits for a duration.
  ///   - ring: called on any thread when the moment has come, or a second has gone by. The one who
  ///     is called looks at the clock again and sets the next moment.
  init(
    pause: @escaping @Sendable (Duration) async throws -> Void, ring: @escaping @Sendable () -> Void
  ) {
    self.pause = pause
    self.ring = ring
  }

  deinit { cancel() }

  /// Sets the moment. A moment that was set before doesn't ring any more, unless it is earlier and
  /// still to come.
  ///
  /// Rationale: a moment that has rung counts for nothing, whatever the clock says. A clock that
  /// was set back in between would make the alarm wait for a moment that has rung already.
  func set(_ due: Int64, now: Int64) {
    let due = min(
      max(due, now.adding(Self.shortest)),
      now.adding(Self.longest))
    state.withLock { state in
      // The earlier moment stays: the one who is called then sets the next one.
      if let pending = state.pending, pending.moment <= due, pending.moment > now { return }
      state.pending?.task.cancel()
      state.lastNumber += 1
      let number = state.lastNumber
      let task = Task { [weak self, pause] in
        if (try? await pause(.milliseconds(due.subtracting(now)))) != nil { self?.timeIsUp(number) }
      }
      state.pending = Pending(number: number, moment: due, task: task)
    }
  }

  private func timeIsUp(_ number: Int) {
    state.withLock { state in
      // A task that was cancelled too late may still come here, when another one is pending.
      if state.pending?.number == number { state.pending = nil }
    }
    // Outside of the lock: the one who is called sets the next moment.
    ring()
  }

  /// Ends the wait; nothing rings any more.
  func cancel() {
    state.withLock { state in
      state.pending?.task.cancel()
      state.pending = nil
    }
  }
}
