internal import AgentSystem
package import AgentWorkerProtocol
internal import Dispatch
internal import Synchronization

/// The one thread that makes all `[module-thread]` calls of a module that runs inside the host.
/// Jobs are done in order; the thread ends when the object goes.
package final class ModuleThread: Sendable {
  /// Starts a thread that does `work`. Nobody joins it: the object may go on this very thread, by
  /// the last job.
  typealias Creation =
    @Sendable (_ work: @escaping @Sendable () -> Void) throws(DetachedThread.StartError) -> Void

  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isStarted = false
    var isOver = false
  }

  /// The state that the thread and the object share. The thread doesn't hold the object itself, or
  /// that would never go.
  private final class Shared: Sendable {
    let state = Mutex(State())
    let wake = DispatchSemaphore(value: 0)

    /// Does jobs until the object is gone. Jobs that were given before are still done.
    func work() {
      while true {
        // All jobs at once, so that none runs under the lock.
        let (jobs, isOver) = state.withLock { state in
          defer { state.jobs = [] }
          return (state.jobs, state.isOver)
        }
        for job in jobs { job() }
        // Not before the last jobs: a stop is one of them.
        if isOver && jobs.isEmpty { return }
        if jobs.isEmpty { wake.wait() }
      }
    }
  }

  private let shared = Shared()
  private let create: Creation

  /// A thread of the system, once ``start()`` was called.
  package convenience init() {
    self.init { (work) throws(DetachedThread.StartError) in
      try DetachedThread.start("agent-module", work: work)
    }
  }

  /// - Parameter create: makes the thread; a test makes it fail.
  init(create: @escaping Creation) { self.create = create }

  deinit {
    shared.state.withLock { $0.isOver = true }
    shared.wake.signal()
  }

  /// Starts the thread, unless it runs. A later call tries again after a failure.
  /// - Throws: `failed`, with the system's reason.
  package func start() throws(WorkerError) {
    // Under the lock, so that two callers start one thread.
    let failure = shared.state.withLock { state -> DetachedThread.StartError? in
      guard !state.isStarted else { return nil }
      do throws(DetachedThread.StartError) {
        try create { [shared] in shared.work() }
        state.isStarted = true
        return nil
      } catch {
        return error
      }
    }
    if let failure {
      throw WorkerError(
        .failed, "No thread can be started for a module inside the host.",
        cause: failure.description)
    }
  }

  /// Does a job on the thread, after those before it. Without a thread nothing runs that a job
  /// could concern, and the job is dropped: it would be kept for ever.
  package func run(_ job: @escaping @Sendable () -> Void) {
    let isStarted = shared.state.withLock { state in
      if state.isStarted { state.jobs.append(job) }
      return state.isStarted
    }
    if isStarted { shared.wake.signal() }
  }
}
