package import AgentWorkerProtocol
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The one thread that makes all `[module-thread]` calls of a module that runs inside the host.
/// Jobs are done in order; the thread ends when the object goes.
package final class ModuleThread: Sendable {
  /// Starts a thread that calls `body` with `context`. Returns 0, or the number of the error.
  typealias Creation =
    @Sendable (
      _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
      _ context: UnsafeMutableRawPointer
    ) -> Int32

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
  package convenience init() { self.init(create: Self.create) }

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
    let outcome = shared.state.withLock { state -> Int32 in
      guard !state.isStarted else { return 0 }
      let context = Unmanaged.passRetained(shared)
      let outcome = create(
        { context in
          guard let context else { return nil }
          Unmanaged<Shared>.fromOpaque(context).takeRetainedValue().work()
          return nil
        }, context.toOpaque())
      state.isStarted = outcome == 0
      // The thread would have taken this reference over.
      if outcome != 0 { context.release() }
      return outcome
    }
    guard outcome == 0 else {
      throw WorkerError(
        .failed, "No thread can be started for a module inside the host.",
        cause: String(cString: strerror(outcome)))
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

  private static let create: Creation = { body, context in
    var thread = pthread_t()
    let outcome = pthread_create(&thread, nil, body, context)
    // Nobody joins it: the object may go on this very thread, by the last job.
    if outcome == 0 { pthread_detach(thread) }
    return outcome
  }
}
