import Dispatch
import Synchronization

/// The one thread that makes every `[module-thread]` call. It owns the runner, so that nothing else
/// can touch it.
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

  /// Runs a job after those that were posted before. [any-thread]
  func post(_ job: @escaping Job) {
    let wasEmpty = jobs.withLock { jobs in
      defer { jobs.append(job) }
      return jobs.isEmpty
    }
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
