internal import AgentSystem
package import AgentWorkerProtocol
internal import Dispatch
internal import Synchronization

/// The thread on which the host makes all `[module-thread]` calls of a module that runs inside it.
/// The thread runs its jobs in order, and ends when the object is released.
package final class ModuleThread: Sendable {
  /// Starts a thread that runs `work`. The host doesn't join the thread, because the last job may
  /// release the object on this same thread.
  typealias Creation =
    @Sendable (_ work: @escaping @Sendable () -> Void) throws(DetachedThread.StartError) -> Void

  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isStarted = false
    var isOver = false
  }

  /// The state that the thread and the object share. The thread doesn't hold the object itself,
  /// because the object would then never be released.
  private final class Shared: Sendable {
    let state = Mutex(State())
    let wake = DispatchSemaphore(value: 0)

    /// Runs jobs until the object is released. The jobs that were added before are still run.
    func work() {
      while true {
        // This takes all jobs at once, so that no job runs under the lock.
        let (jobs, isOver) = state.withLock { state in
          defer { state.jobs = [] }
          return (state.jobs, state.isOver)
        }
        for job in jobs { job() }
        // The thread doesn't end before the last jobs, because a stop is one of them.
        if isOver && jobs.isEmpty { return }
        if jobs.isEmpty { wake.wait() }
      }
    }
  }

  private let shared = Shared()
  private let create: Creation

  /// Creates an object that makes a thread of the system when ``start()`` is called.
  package convenience init() {
    self.init { (work) throws(DetachedThread.StartError) in
      try DetachedThread.start("agent-module", work: work)
    }
  }

  /// - Parameter create: makes the thread. A test passes a function that fails.
  init(create: @escaping Creation) { self.create = create }

  deinit {
    shared.state.withLock { $0.isOver = true }
    shared.wake.signal()
  }

  /// Starts the thread, unless it already runs. After a failure, a later call tries again.
  /// - Throws: `failed`, with the system's reason.
  package func start() throws(WorkerError) {
    // The thread is started under the lock, so that two callers start only one.
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

  /// Runs a job on the thread, after the jobs before it. Any thread. If the thread isn't started,
  /// the job is dropped, because it would be kept for ever. No module runs then, so the job isn't
  /// needed.
  package func run(_ job: @escaping @Sendable () -> Void) {
    let isStarted = shared.state.withLock { state in
      if state.isStarted { state.jobs.append(job) }
      return state.isStarted
    }
    if isStarted { shared.wake.signal() }
  }
}
