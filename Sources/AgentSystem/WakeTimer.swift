internal import Synchronization

/// Wakes one loop, at once or at a moment. Several wake-ups before the loop's next round count as
/// one. Safe from every thread.
public final class WakeTimer: Sendable {
  private struct Timer {
    let number: Int
    /// In Unix milliseconds.
    let moment: Int64
    let task: Task<Void, Never>
  }

  /// Has an element for each wake-up. Only one loop may read it.
  public let rings: AsyncStream<Void>
  private let source: AsyncStream<Void>.Continuation
  private let pause: @Sendable (Duration) async throws -> Void
  private let timer = Mutex<Timer?>(nil)
  private let timers = Atomic(0)
  private let executor: (any TaskExecutor)?

  /// - Parameters:
  ///   - pause: waits for a duration.
  ///   - executor: the executor of the wait. Nil means the shared pool.
  public init(
    pause: @escaping @Sendable (Duration) async throws -> Void,
    executor: (any TaskExecutor)? = nil
  ) {
    (self.pause, self.executor) = (pause, executor)
    // One element is enough, because the loop checks everything when it wakes.
    (rings, source) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  deinit { timer.withLock { $0?.task.cancel() } }

  /// Wakes the loop now.
  public func ring() { source.yield() }

  /// Wakes the loop at a moment. The moment replaces a later one that was set before. If it has
  /// passed, the loop wakes at once. The loop wakes after a minute at the latest, so that a clock
  /// that was set forward is noticed.
  /// - Parameters:
  ///   - moment: in Unix milliseconds.
  ///   - now: the present time in Unix milliseconds.
  public func ring(at moment: Int64, now: Int64) {
    guard moment > now else { return ring() }
    let wait = min(max(moment, now).subtracting(now), 60_000)
    timer.withLock { timer in
      // A past moment doesn't count. The clock may have been set back since its wake-up.
      if let timer, timer.moment <= now.adding(wait), timer.moment > now { return }
      timer?.task.cancel()
      let number = timers.add(1, ordering: .relaxed).newValue
      timer = Timer(
        number: number, moment: now.adding(wait),
        task: Task(executorPreference: executor) { [weak self, pause] in
          if (try? await pause(.milliseconds(wait))) != nil { self?.timeIsUp(number) }
        })
    }
  }

  private func timeIsUp(_ number: Int) {
    // A task that was cancelled too late may reach this point after another timer was set.
    timer.withLock { if $0?.number == number { $0 = nil } }
    source.yield()
  }
}
