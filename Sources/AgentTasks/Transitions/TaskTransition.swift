package import AgentStore

/// Writes transitions of stored tasks: the one place that changes a task's state. It runs on the
/// writer's thread, in the transaction of the caller, which records and settles what it returns.
package struct TaskTransition {
  private let transaction: any StoreTransaction
  private let moment: Int64
  /// The actor that the history names; nil for the owner of the task.
  private let actor: String?
  /// Why a bot's lease ends, if the transition ends it.
  private let leaseEnds: LeaseEnd
  /// What the change may not exceed.
  private let limits: TaskByteLimits

  /// - Parameters:
  ///   - moment: when the transitions happen, in Unix milliseconds.
  ///   - limits: none by default, since only requests make a task larger or open it again.
  package init(
    in transaction: any StoreTransaction, at moment: Int64, by actor: String? = nil,
    leaseEnds: LeaseEnd = .withdrawn(""), within limits: TaskByteLimits = TaskByteLimits()
  ) {
    (self.transaction, self.moment) = (transaction, moment)
    (self.actor, self.leaseEnds) = (actor, leaseEnds)
    self.limits = limits
  }

  /// Applies a transition to a row, and stores it with its key and its assignment.
  /// - Returns: nil if the row has changed since it was read. Nothing is stored then.
  /// - Throws: what `body` throws; `conflict` if another open task has the key, or a limit is
  ///   reached.
  package func apply(
    to row: TaskRow, _ body: (inout TaskStateMachine) throws -> Void
  ) throws -> TaskChange? {
    var machine = TaskStateMachine(row, now: moment, by: actor)
    try body(&machine)
    machine.replace(try UniqueKeys.restore(machine.row, transaction.tasks))
    try limits.check(machine.row, from: row, in: transaction.tasks)
    guard try transaction.tasks.update(machine.row, from: row) else { return nil }
    try AssignmentRecorder.record(
      row, to: machine.row, end: leaseEnds, at: moment, in: transaction.assignments)
    return TaskChange(row, machine.row)
  }
}
