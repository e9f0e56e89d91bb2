internal import AgentSystem
internal import Synchronization

/// Calls back at a moment of the bus's clock. Safe from every thread.
final class QueryTimer: Sendable {
  private struct Pending {
    let number: Int
    /// The moment of the call, by the clock at the time of `set`.
    let moment: Int64
    let task: Task<Void, Never>
  }

  /// The longest wait in milliseconds, so that a clock that was set forward is noticed.
  private static let longest: Int64 = 1_000
  /// The shortest wait in milliseconds, so that a clock that stands still costs little.
  private static let shortest: Int64 = 10

  private let pause: @Sendable (Duration) async throws -> Void
  private let ring: @Sendable () -> Void
  private let state = Mutex<(pending: Pending?, lastNumber: Int)>((nil, 0))

  /// - Parameters:
  ///   - pause: waits for a duration.
  ///   - ring: called on any thread at the moment, or after a second. It checks the clock and sets
  ///     the next moment.
  init(
    pause: @escaping @Sendable (Duration) async throws -> Void, ring: @escaping @Sendable () -> Void
  ) {
    self.pause = pause
    self.ring = ring
  }

  deinit { cancel() }

  /// Sets the moment. It replaces the former moment, unless that is earlier and still in the
  /// future.
  ///
  /// Rationale: a moment whose call was made doesn't count, whatever the clock shows. Otherwise a
  /// clock that was set back in between would make the alarm wait for it again.
  func set(_ due: Int64, now: Int64) {
    let due = min(
      max(due, now.adding(Self.shortest)),
      now.adding(Self.longest))
    state.withLock { state in
      // The earlier moment stays, because its call sets the next one.
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
      // A task that was cancelled too late may reach this point while another one waits.
      if state.pending?.number == number { state.pending = nil }
    }
    // The call is outside of the lock, because it sets the next moment.
    ring()
  }

  /// Ends the wait. No call follows.
  func cancel() {
    state.withLock { state in
      state.pending?.task.cancel()
      state.pending = nil
    }
  }
}
