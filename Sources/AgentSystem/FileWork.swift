internal import Synchronization

/// Runs work that waits for files and other programs, each on a thread of its own, because a wait on
/// the cooperative pool would delay all other tasks. ``FileQueue`` is for work that comes again and
/// again.
package enum FileWork {
  /// The largest number of threads of one caller, those included that nobody waits for any more.
  package static let maxThreads = 64
  private static let threads = Mutex<[String: Int]>([:])

  /// Runs work that may block on a thread of its own, and waits for it for a limited time. Returns
  /// nil if it takes longer, or if the caller has too many such threads.
  ///
  /// - Parameter caller: what the files are for. One whose files don't answer uses up its own
  ///   threads only.
  ///
  /// Rationale: nothing can end a wait for a file of a network file system whose server is gone.
  /// The thread is left alone, and ends with its wait.
  package static func run<Value: Sendable>(
    for caller: String, within limit: Duration,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    _ work: @escaping @Sendable () -> Value
  ) async -> Value? {
    guard enter(caller) else { return nil }
    let answer = FirstAnswer<Value?>()
    do {
      try DetachedThread.start("agent.file") {
        answer.give(work())
        leave(caller)
      }
    } catch {
      leave(caller)
      return nil
    }
    let clock = Task {
      try await pause(limit)
      answer.give(nil)
    }
    defer { clock.cancel() }
    return await answer.value
  }

  private static func enter(_ caller: String) -> Bool {
    threads.withLock { threads in
      guard threads[caller, default: 0] < maxThreads else { return false }
      threads[caller, default: 0] += 1
      return true
    }
  }

  private static func leave(_ caller: String) {
    threads.withLock { threads in
      let left = threads[caller, default: 1] - 1
      threads[caller] = left > 0 ? left : nil
    }
  }
}
