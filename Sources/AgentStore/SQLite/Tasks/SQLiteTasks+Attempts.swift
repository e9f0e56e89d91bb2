internal import AgentSystem

/// Stores the beginnings and the ends of the host's attempts.
///
/// Rationale: an attempt that begins adds a narrow row, its claim, and its task's wide row is
/// changed once, at the end. Two changes of the wide row took twice the time
/// (docs/decisions/0021).
///
/// A claimed task has the version of its claim, in every statement that compares versions. The row
/// keeps the one from before until the claim is removed.
extension SQLiteTasks {
  func begin(_ steps: [TaskStep]) throws(StoreError) -> [Bool] {
    let statement = try session.statement(
      """
      INSERT INTO task_claims SELECT ?1, ?3, ?4, ?5, ?6, ?7
      WHERE EXISTS (SELECT 1 FROM tasks WHERE id = ?1 AND version = ?2)
      ON CONFLICT DO NOTHING
      """)
    if let now = steps.first?.task.updated { try storeOldClaims(at: now) }
    var stored: [Bool] = []
    stored.reserveCapacity(steps.count)
    for step in steps {
      if let line = step.claimedLine {
        stored.append(try claim(step, line: line, by: statement))
      } else {
        stored.append(try update(step.task, from: step.former))
      }
    }
    return stored
  }

  func end(_ steps: [TaskStep]) throws(StoreError) -> [Bool] {
    // It assigns no column of an index that the end of an attempt doesn't concern, because SQLite
    // looks at each index of which a column is assigned.
    let statement = try session.statement(
      """
      UPDATE tasks SET version = ?3, state = ?4, updated = ?5, attempt = ?6, failures = ?7,
        owner = NULL, started = ?8, finished = ?9, result = ?10, history = ?11
      WHERE id = ?1
        AND coalesce((SELECT version FROM task_claims WHERE task = ?1), version) = ?2
      """)
    var stored: [Bool] = []
    stored.reserveCapacity(steps.count)
    for step in steps {
      if step.isPlainEnd {
        stored.append(try finish(step, by: statement))
      } else {
        stored.append(try update(step.task, from: step.former))
      }
    }
    return stored
  }

  /// Adds a claim.
  /// - Returns: false if the task has another version, or a claim already.
  private func claim(
    _ step: TaskStep, line: ArraySlice<UInt8>, by statement: SQLiteStatement
  ) throws(StoreError) -> Bool {
    let task = step.task
    defer { statement.reset() }
    try statement.bind(1, integer: task.id)
    try statement.bind(2, integer: step.former.version)
    try statement.bind(3, integer: task.version)
    try statement.bind(4, integer: task.attempt)
    try statement.bind(5, text: task.owner ?? "")
    try statement.bind(6, integer: task.started ?? 0)
    try statement.bind(7, blob: line)
    _ = try statement.step()
    guard session.changes == 1 else { return false }
    try countChange(of: step.former, to: task)
    return true
  }

  /// Writes the columns that a plain end changes.
  private func finish(
    _ step: TaskStep, by statement: SQLiteStatement
  ) throws(StoreError) -> Bool {
    let task = step.task
    defer { statement.reset() }
    try statement.bind(1, integer: task.id)
    try statement.bind(2, integer: step.former.version)
    try statement.bind(3, integer: task.version)
    try statement.bind(4, text: task.state.rawValue)
    try statement.bind(5, integer: task.updated)
    try statement.bind(6, integer: task.attempt)
    try statement.bind(7, integer: task.failures)
    try statement.bind(8, .optional(task.started))
    try statement.bind(9, .optional(task.finished))
    try statement.bind(10, .optional(task.result))
    try statement.bind(11, blob: task.history[...])
    _ = try statement.step()
    return try hasChanged(step.former, to: task)
  }

  /// Finishes the change of a row: removes its claim and counts the change.
  /// - Returns: false if the last statement has changed no row, because it has another version.
  func hasChanged(_ former: TaskRow, to task: TaskRow) throws(StoreError) -> Bool {
    guard session.changes == 1 else { return false }
    if former.state == .running, former.mayBeClaimed {
      let statement = try session.statement("DELETE FROM task_claims WHERE task = ?")
      defer { statement.reset() }
      try statement.bind(1, integer: former.id)
      _ = try statement.step()
    }
    try countChange(of: former, to: task)
    return true
  }

  /// Once a second, stores the claims that are older than a second. A task that runs for long would
  /// otherwise be looked at each time the first tasks of its queue are read.
  private func storeOldClaims(at now: Int64) throws(StoreError) {
    // Also after a clock that was set back.
    guard now.subtracting(claimsStored).magnitude >= 1_000 else { return }
    claimsStored = now
    try storeClaims(startedBefore: now.subtracting(1_000))
  }

  /// Stores what claims say in the rows of their tasks, and removes the claims.
  func storeClaims(startedBefore moment: Int64 = .max) throws(StoreError) {
    try session.run(
      """
      UPDATE tasks SET (version, state, updated, attempt, owner, started, history) =
        (SELECT version, state, updated, attempt, owner, started, history FROM task_rows
         WHERE task_rows.id = tasks.id)
      WHERE id IN (SELECT task FROM task_claims WHERE started < ?)
      """, .integer(moment))
    try session.run("DELETE FROM task_claims WHERE started < ?", .integer(moment))
  }
}

extension TaskRow {
  /// Whether an attempt of it is one of the host, which begins with a claim. A bot's attempt has
  /// none.
  fileprivate var mayBeClaimed: Bool { bot == nil }
}

extension TaskStep {
  /// The line that a claim adds to the history; `nil` if a claim can't express this change, because
  /// it changes other columns than a claim has.
  fileprivate var claimedLine: ArraySlice<UInt8>? {
    guard former.state == .queued, task.state == .running, former.mayBeClaimed, task.owner != nil,
      task.started == task.updated, task.history.count > former.history.count, isPlain,
      task.failures == former.failures, task.finished == former.finished,
      task.result == former.result,
      task.history.prefix(former.history.count).elementsEqual(former.history)
    else { return nil }
    return task.history[former.history.count...]
  }

  /// Whether the change is the end of an attempt without a further one, and changes only what such
  /// an end does. The other columns and their indexes needn't be written then.
  fileprivate var isPlainEnd: Bool {
    former.state == .running && task.finished != nil && task.owner == nil && isPlain
  }

  /// Whether the change keeps each column that neither a claim nor a plain end writes.
  ///
  /// Rationale: the columns are compared one by one. A copy of the row to compare it with takes
  /// longer than the comparison. The columns that no change of a task writes aren't compared.
  private var isPlain: Bool {
    task.version == former.version.adding(1) && task.sharesDescription(with: former)
      && task.rank == former.rank && task.asked == former.asked
      && task.cancelling == former.cancelling && task.runAt == former.runAt
      && task.wake == former.wake && task.bot == former.bot && task.lost == former.lost
      && task.hostEnds == former.hostEnds && task.escalateAt == former.escalateAt
      && task.progress == former.progress
  }
}
