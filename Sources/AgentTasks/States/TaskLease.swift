/// The right to run one attempt of a task. Every heartbeat, log line, artifact and result names its
/// lease and is refused after the lease has ended.
public struct TaskLease: Sendable, Hashable {
  public let task: Int64
  /// The number of the attempt. Each lease has its own.
  public let attempt: Int64
  /// `host:RUN` for an attempt of the host, else the id of the bot.
  public let owner: String

  /// Creates a lease.
  public init(task: Int64, attempt: Int64, owner: String) {
    self.task = task
    self.attempt = attempt
    self.owner = owner
  }

  var stale: TaskError {
    TaskError(
      .staleLease,
      "Attempt \(attempt) of task \(task) by \(owner) is over: the task was assigned again, "
        + "or has ended. Stop working on it.")
  }
}
