internal import Dispatch
internal import Glibc
internal import Synchronization

/// The one thread that makes all `[module-thread]` calls of a module that runs inside the host.
/// Jobs are done in order; the thread ends when the object goes.
package final class ModuleThread: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
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

  /// Starts the thread.
  package init() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(shared).toOpaque()
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Shared>.fromOpaque(context).takeRetainedValue().work()
        return nil
      }, context)
    if result == 0 {
      // Nobody joins it: the object may go on this very thread, by the last job.
      pthread_detach(thread)
    } else {
      // The thread would have taken this reference over.
      Unmanaged<Shared>.fromOpaque(context).release()
    }
  }

  deinit {
    shared.state.withLock { $0.isOver = true }
    shared.wake.signal()
  }

  /// Does a job on the thread, after those before it.
  package func run(_ job: @escaping @Sendable () -> Void) {
    shared.state.withLock { $0.jobs.append(job) }
    shared.wake.signal()
  }
}
