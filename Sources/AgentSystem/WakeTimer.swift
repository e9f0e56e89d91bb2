internal import Synchronization

/// Wakes one loop, at once or at a moment. Rings that the loop hasn't heard yet count as one. Safe
/// from every thread.
public final class WakeTimer: Sendable {
  private struct Timer {
    let number: Int
    /// In Unix milliseconds.
    let moment: Int64
    let task: Task<Void, Never>
  }

  /// Gives an element each time that it rings. For one loop.
  public let rings: AsyncStream<Void>
  private let source: AsyncStream<Void>.Continuation
  private let pause: @Sendable (Duration) async throws -> Void
  private let timer = Mutex<Timer?>(nil)
  private let timers = Atomic(0)
  private let executor: (any TaskExecutor)?

  /// - Parameters:
  ///   - pause: waits for a duration.
  ///   - executor: the executor on which it waits; nil for the pool that all tasks share.
  public init(
    pause: @escaping @Sendable (Duration) async throws -> Void,
    executor: (any TaskExecutor)? = nil
  ) {
    (self.pause, self.executor) = (pause, executor)
    // One element at most: the loop looks at everything when it wakes.
    (rings, source) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  deinit { timer.withLock { $0?.task.cancel() } }

  /// Rings now.
  public func ring() { source.yield() }

  /// Rings at a moment, in place of a later one that was set before, and at once when it has come.
  /// It rings after a minute at the latest, so that a clock that is set forward is noticed.
  /// - Parameters:
  ///   - moment: in Unix milliseconds.
  ///   - now: the present, in Unix milliseconds.
  public func ring(at moment: Int64, now: Int64) {
    guard moment > now else { return ring() }
    let wait = min(max(moment, now).subtracting(now), 60_000)
    timer.withLock { timer in
      // One that is past counts for nothing: the clock may have been set back since it rang.
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
    // A task that was cancelled too late may still come here, when another one is set.
    timer.withLock { if $0?.number == number { $0 = nil } }
    source.yield()
  }
}
