/// The right to do a task, as who does it names it with everything that is said about it.
public struct TaskLease: Sendable, Hashable {
  /// The task.
  public let task: Int64
  /// The number of the lease.
  public let attempt: Int64
  /// Who holds it.
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
