internal import Synchronization

/// Runs work that waits for files and other programs, each on a thread of its own, because a wait on
/// the cooperative pool would delay all other tasks. ``FileQueue`` is for work that comes again and
/// again.
package enum FileWork {
  /// Why work has no result.
  package enum Failure: Error, Sendable, Hashable {
    /// The work takes longer than its limit. It may still end.
    case late
    /// The work wasn't begun: the caller has ``maxThreads`` threads that wait for files.
    case tooManyThreads
    /// The work wasn't begun: the system refuses a thread.
    case noThread(DetachedThread.StartError)
  }

  /// The largest number of threads of one caller, those included that nobody waits for any more.
  package static let maxThreads = 64
  /// Starts a thread that does work.
  package typealias StartThread =
    @Sendable (@escaping @Sendable () -> Void) throws(DetachedThread.StartError) -> Void

  /// Starts a thread that nobody waits for.
  package static let startThread: StartThread = { work throws(DetachedThread.StartError) in
    try DetachedThread.start("agent.file", work: work)
  }

  private static let threads = Mutex<[String: Int]>([:])

  /// Runs work that may block on a thread of its own, and waits for it for a limited time.
  /// - Parameters:
  ///   - caller: what the files are for. One whose files don't answer uses up its own threads only.
  ///   - start: starts the thread; tests let it fail.
  ///
  /// Rationale: nothing can end a wait for a file of a network file system whose server is gone.
  /// The thread is left alone, and ends with its wait.
  package static func run<Value: Sendable>(
    for caller: String, within limit: Duration,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    start: StartThread = startThread,
    _ work: @escaping @Sendable () -> Value
  ) async throws(Failure) -> Value {
    guard enter(caller) else { throw .tooManyThreads }
    let answer = FirstAnswer<Value?>()
    do throws(DetachedThread.StartError) {
      try start {
        answer.give(work())
        leave(caller)
      }
    } catch {
      leave(caller)
      throw .noThread(error)
    }
    let clock = Task {
      try await pause(limit)
      answer.give(nil)
    }
    defer { clock.cancel() }
    guard let value = await answer.value else { throw .late }
    return value
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
