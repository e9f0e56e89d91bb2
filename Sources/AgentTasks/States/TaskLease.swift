/// The right to run one attempt of a task. Every heartbeat, log line, artifact and result names it,
/// and is refused once it is over.
public struct TaskLease: Sendable, Hashable {
  public let task: Int64
  /// The number of the lease.
  public let attempt: Int64
  /// `host:RUN` for an attempt of the host, else the bot's id.
  public let owner: String

  /// Makes a lease.
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
