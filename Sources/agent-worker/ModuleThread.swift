import Dispatch
import Synchronization

/// The thread for all `[module-thread]` calls. It owns the runner, so that no other thread can use
/// it.
final class ModuleThread: Sendable {
  typealias Job = @Sendable (inout ModuleRunner) -> Void

  private let jobs = Mutex<[Job]>([])
  private let wakeup = DispatchSemaphore(value: 0)

  init(connection: Connection) {
    Thread.start { [self] in
      var runner = ModuleRunner(connection: connection, thread: self)
      while true { run(&runner) }
    }
  }

  /// Runs a job on the module's thread, after all jobs that were posted before. [any-thread]
  func post(_ job: @escaping Job) {
    let wasEmpty = jobs.withLock { jobs in
      defer { jobs.append(job) }
      return jobs.isEmpty
    }
    // The thread takes all jobs at once, so only the first job of a batch needs to wake it.
    if wasEmpty { wakeup.signal() }
  }

  private func run(_ runner: inout ModuleRunner) {
    wakeup.wait()
    let batch = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    for job in batch { job(&runner) }
  }
}
