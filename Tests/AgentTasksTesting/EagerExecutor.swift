/// Runs each job at once, on the thread that makes it ready: a task that has nothing to wait for has
/// ended before its creator goes on.
package final class EagerExecutor: TaskExecutor {
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
