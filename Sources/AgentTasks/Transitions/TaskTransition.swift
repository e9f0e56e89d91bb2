package import AgentStore

/// Writes transitions of stored tasks. Only this type changes the state of a stored task. It runs
/// on the writer's thread, in the transaction of the caller. The caller must record and settle the
/// returned change.
package struct TaskTransition {
  private let transaction: any StoreTransaction
  private let moment: Int64
  /// The actor in the history; `nil` for the owner of the task.
  private let actor: String?
  /// The reason why a bot's lease ends, if the transition ends it.
  private let leaseEnds: LeaseEnd
  /// The limits that the change must not exceed.
  private let limits: TaskByteLimits
  private let mayName: (TaskRow) -> Bool

  /// - Parameters:
  ///   - moment: the time of the transitions in Unix milliseconds.
  ///   - mayName: whether an error may name another task. None by default, because the caller may
  ///     not read it.
  ///   - limits: none by default, because only requests can enlarge or reopen a task.
  package init(
    in transaction: any StoreTransaction, at moment: Int64, by actor: String? = nil,
    leaseEnds: LeaseEnd = .withdrawn(""), within limits: TaskByteLimits = TaskByteLimits(),
    mayName: @escaping (TaskRow) -> Bool = { _ in false }
  ) {
    (self.transaction, self.moment) = (transaction, moment)
    self.mayName = mayName
    (self.actor, self.leaseEnds) = (actor, leaseEnds)
    self.limits = limits
  }

  /// Begins attempts of the host with tasks that are queued.
  /// - Returns: the changes of those that were stored. A task that has changed since it was read
  ///   isn't among them.
  package func begin(_ rows: [TaskRow], owner: String) throws -> [TaskChange] {
    var steps: [TaskStep] = []
    steps.reserveCapacity(rows.count)
    for row in rows {
      var machine = TaskStateMachine(row, now: moment, by: actor)
      try machine.begin(owner: owner)
      steps.append(TaskStep(from: row, to: machine.row))
    }
    let stored = try transaction.tasks.begin(steps)
    return zip(steps, stored).compactMap { $1 ? TaskChange($0.former, $0.task) : nil }
  }

  /// Stores ends of the host's attempts, which have no assignments.
  /// - Returns: for each, the change; `nil` if the task has changed since `former` was read.
  package func end(_ steps: [TaskStep]) throws -> [TaskChange?] {
    let stored = try transaction.tasks.end(steps)
    return zip(steps, stored).map { $1 ? TaskChange($0.former, $0.task) : nil }
  }

  /// Applies a transition to a row, and stores it with its unique key and its assignment.
  /// - Returns: `nil` if the row has changed since it was read. Then nothing is stored.
  /// - Throws: the error of `body`; `conflict` if another open task has the unique key or a limit
  ///   is reached.
  package func apply(
    to row: TaskRow, _ body: (inout TaskStateMachine) throws -> Void
  ) throws -> TaskChange? {
    var machine = TaskStateMachine(row, now: moment, by: actor)
    try body(&machine)
    machine.replace(try UniqueKeys.restore(machine.row, mayName: mayName, transaction.tasks))
    try limits.check(machine.row, from: row, in: transaction.tasks)
    guard try transaction.tasks.update(machine.row, from: row) else { return nil }
    try AssignmentRecorder.record(
      row, to: machine.row, end: leaseEnds, at: moment, in: transaction.assignments)
    return TaskChange(row, machine.row)
  }
}
