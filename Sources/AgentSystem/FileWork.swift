internal import Dispatch
internal import Synchronization

/// Runs work that waits for files and other programs. It has a thread of its own, because a wait on
/// the cooperative pool would delay all other tasks.
package enum FileWork {
  private static let thread = DispatchQueue(label: "agent.files")

  /// Runs work that may block, after all earlier work.
  package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      thread.async { continuation.resume(returning: work()) }
    }
  }

  /// The largest number of threads of ``run(within:pause:_:)``, those included that nobody waits for
  /// any more.
  package static let maxThreads = 64
  private static let threads = Atomic(0)

  /// Runs work that may block on a thread of its own, and waits for it for a limited time. Returns
  /// nil if it takes longer, or if there are too many such threads.
  ///
  /// Rationale: nothing can end a wait for a file of a network file system whose server is gone.
  /// The thread is left alone, and ends with its wait.
  package static func run<Value: Sendable>(
    within limit: Duration,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    _ work: @escaping @Sendable () -> Value
  ) async -> Value? {
    guard threads.add(1, ordering: .relaxed).newValue <= maxThreads else {
      threads.subtract(1, ordering: .relaxed)
      return nil
    }
    let answer = FirstAnswer<Value?>()
    do {
      try DetachedThread.start("agent.file") {
        answer.give(work())
        threads.subtract(1, ordering: .relaxed)
      }
    } catch {
      threads.subtract(1, ordering: .relaxed)
      return nil
    }
    let clock = Task {
      try await pause(limit)
      answer.give(nil)
    }
    defer { clock.cancel() }
    return await answer.value
  }
}
