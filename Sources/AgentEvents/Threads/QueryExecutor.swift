internal import AgentSystem
internal import DequeModule
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs queries on threads of their own, a slice of each in turn. Safe from every thread.
///
/// Rationale: a query computes for a long time. On the threads that all other tasks share, a few
/// queries would stop the whole host, and its end would wait for them.
final class QueryExecutor: TaskExecutor {
  /// The executor of all queries of the process.
  static let shared = QueryExecutor(
    threads: max(2, Int(clamping: sysconf(Int32(clamping: _SC_NPROCESSORS_ONLN)))))

  private struct State {
    var jobs: Deque<UnownedJob> = []
    var threads = 0
  }

  private let maxThreads: Int
  private let state = Mutex(State())
  /// Counts the waiting jobs.
  private let waiting = DispatchSemaphore(value: 0)

  /// - Parameter threads: the maximum number of threads. They start when they are first needed, and
  ///   live as long as the process.
  init(threads: Int) {
    maxThreads = threads
  }

  /// Appends a job. Each slice of a query is a job, so a cheap query waits for one slice of each of
  /// the others and not for their end.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFull = state.withLock { state in
      state.jobs.append(job)
      defer { state.threads = min(state.threads + 1, maxThreads) }
      return state.threads == maxThreads
    }
    if !isFull { startThread() }
    waiting.signal()
  }

  private func startThread() {
    do throws(DetachedThread.StartError) {
      try DetachedThread.start("agent-query") { [self] in run() }
    } catch {
      // The next job tries again. Without any thread the jobs run where all other tasks do.
      let isLast = state.withLock { state in
        state.threads -= 1
        return state.threads == 0
      }
      if isLast { DispatchQueue.global().async { [self] in runNext() } }
    }
  }

  private func run() {
    while true { runNext() }
  }

  private func runNext() {
    waiting.wait()
    // A job is appended before it is counted.
    guard let job = state.withLock({ $0.jobs.popFirst() }) else { return }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
