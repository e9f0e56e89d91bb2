internal import AgentSystem

/// Removes tasks with all their rows.
extension SQLiteTasks {
  /// The columns that the removal of a task needs. A whole row may have a large definition and
  /// history.
  private struct Remains {
    let id: Int64
    let type: String
    let state: TaskRow.State
    let batch: Int64?
    let created: Int64
    let updated: Int64
    let finished: Int64?
    /// The size of the definition in bytes.
    let bytes: Int64
    let creator: String?
    /// The size of the definition, the history, the progress and the result in bytes.
    let allBytes: Int64

    init(_ row: SQLiteStatement) {
      id = row.integer(0)
      type = row.text(1)
      state = TaskRow.State(rawValue: row.text(2)) ?? .dead
      batch = row.optionalInteger(3)
      (created, updated) = (row.integer(4), row.integer(5))
      finished = row.optionalInteger(6)
      (bytes, creator) = (row.integer(8), row.optionalText(9))
      allBytes = row.integer(7).adding(bytes)
    }
  }

  func remove(_ id: Int64) throws(StoreError) -> Bool {
    let found = try session.first(
      """
      SELECT id, type, state, batch, created, updated, finished,
        length(history) + coalesce(length(progress), 0) + coalesce(length(result), 0),
        length(definition), creator
      FROM task_rows WHERE id = ?
      """, .integer(id), row: Remains.init)
    guard let found else { return false }
    try remove(found)
    return true
  }

  func removeTasks(
    finishedBefore moment: Int64, after number: Int64, limit: Int, now: Int64
  ) throws(StoreError) -> TaskRemoval {
    var found: [Remains] = []
    try session.each(
      """
      SELECT id, type, state, batch, created, updated, finished,
        length(history) + coalesce(length(progress), 0) + coalesce(length(result), 0),
        length(definition), creator
      FROM task_rows WHERE id > ? ORDER BY id LIMIT ?
      """, .integer(number), .integer(Int64(limit))
    ) { row throws(StoreError) in found.append(Remains(row)) }
    let old = found.filter { $0.finished.map { $0 < moment } ?? false }
    let step = try remove(old)
    // The rest of its lines, and the tasks after it, are left for the next step.
    if let rest = step.rest {
      return TaskRemoval(
        removed: step.removed, last: rest.subtracting(1), hasShortenedLog: step.hasShortenedLog)
    }
    // Numbers increase with time. If every task of a step was created after the time, the remaining
    // tasks are new too, and the scan ends. Tasks with a time in the future were created while the
    // clock was ahead, so they don't end it. A single new task doesn't end it either, because the
    // clock may have been wrong.
    let isNew = found.allSatisfy { $0.created >= moment && $0.created <= now }
    return TaskRemoval(removed: step.removed, last: isNew ? nil : found.last?.id)
  }

  /// The rows and bytes that a step may still remove.
  ///
  /// Rationale: a task may have a million lines of its log, and every other write waits for a step.
  private struct Budget {
    private(set) var rows: Int64 = 5_000
    private(set) var bytes: Int64 = 4 << 20

    var isUsed: Bool { rows <= 0 || bytes <= 0 }

    mutating func take(rows: Int64, bytes: Int64) {
      self.rows = self.rows.subtracting(rows)
      self.bytes = self.bytes.subtracting(bytes)
    }
  }

  func removeOldestEnded(limit: Int) throws(StoreError) -> TaskRemoval {
    var found: [Remains] = []
    // Ended tasks have no claims. The condition selects all times, and with it the index.
    try session.each(
      """
      SELECT id, type, state, batch, created, updated, finished,
        length(history) + coalesce(length(progress), 0) + coalesce(length(result), 0),
        length(definition), creator
      FROM tasks WHERE finished >= ? ORDER BY finished LIMIT ?
      """, .integer(.min), .integer(Int64(limit))
    ) { row throws(StoreError) in found.append(Remains(row)) }
    let step = try remove(found)
    return TaskRemoval(
      removed: step.removed, last: found.last?.id, hasShortenedLog: step.hasShortenedLog)
  }

  /// The result of a step within the budget.
  private struct Step {
    var removed: [Int64] = []
    /// The first task that wasn't removed.
    var rest: Int64?
    /// Whether that task has lost lines of its log.
    var hasShortenedLog = false
  }

  /// Removes tasks within the budget of a step. The first one is removed, or loses lines of its log.
  private func remove(_ tasks: [Remains]) throws(StoreError) -> Step {
    var step = Step()
    var budget = Budget()
    for task in tasks {
      guard !budget.isUsed else {
        step.rest = task.id
        return step
      }
      guard try removeLines(of: task.id, within: &budget) else {
        (step.rest, step.hasShortenedLog) = (task.id, true)
        return step
      }
      // After its lines. A task that is larger than the budget would otherwise leave nothing of it
      // for them, and every further step would do the same.
      budget.take(rows: 1, bytes: task.allBytes)
      try remove(task)
      step.removed.append(task.id)
    }
    return step
  }

  func removeLogLines(of task: Int64) throws(StoreError) -> Bool {
    var rest = Budget()
    return try removeLines(of: task, within: &rest)
  }

  /// Removes the oldest lines of a task's log.
  /// - Returns: whether no line is left.
  private func removeLines(of task: Int64, within rest: inout Budget) throws(StoreError) -> Bool {
    let statement = try session.statement(
      "SELECT number, length(CAST(text AS BLOB)) FROM task_logs WHERE task = ? ORDER BY number")
    defer { statement.reset() }
    try statement.bind([.integer(task)])
    var last: Int64?
    var isMore = try statement.step()
    while isMore, !rest.isUsed {
      last = statement.integer(0)
      rest.take(rows: 1, bytes: statement.integer(1))
      isMore = try statement.step()
    }
    statement.reset()
    guard let last else { return !isMore }
    try removeLines(of: task, upTo: last)
    return !isMore
  }

  /// Removes the lines of a task's log up to a number.
  func removeLines(of task: Int64, upTo number: Int64) throws(StoreError) {
    let bytes =
      try session.first(
        """
        SELECT coalesce(sum(length(CAST(text AS BLOB))), 0) FROM task_logs
        WHERE task = ? AND number <= ?
        """, .integer(task), .integer(number), row: { $0.integer(0) }) ?? 0
    countSizes(logs: Int64(0).subtracting(bytes))
    try session.run(
      "DELETE FROM task_logs WHERE task = ? AND number <= ?", .integer(task), .integer(number))
  }

  private func remove(_ task: Remains) throws(StoreError) {
    try session.run("DELETE FROM tasks WHERE id = ?", .integer(task.id))
    try session.run("DELETE FROM task_claims WHERE task = ?", .integer(task.id))
    // Removed here, because the tables of tasks have no foreign keys.
    try removeLines(of: task.id, upTo: .max)
    let files =
      try session.first(
        "SELECT coalesce(sum(size), 0) FROM task_artifacts WHERE task = ?", .integer(task.id),
        row: { $0.integer(0) }) ?? 0
    countSizes(
      ended: task.finished == nil ? 0 : Int64(0).subtracting(task.allBytes),
      artifacts: Int64(0).subtracting(files))
    try session.run("DELETE FROM task_artifacts WHERE task = ?", .integer(task.id))
    removed(task.id, type: task.type, state: task.state)
    if task.finished == nil { countBytes(Int64(0).subtracting(task.bytes), of: task.creator) }
    guard let batch = task.batch else { return }
    try session.run(
      """
      UPDATE task_batches SET total = total - 1, pending = pending - ?2,
        unsuccessful = unsuccessful - ?3,
        finished = iif(pending - ?2 = 0, coalesce(finished, ?4), finished)
      WHERE id = ?1
      """,
      .integer(batch), .integer(task.finished == nil ? 1 : 0),
      .integer(task.finished != nil && task.state != .succeeded ? 1 : 0), .integer(task.updated))
    try removeEmptyBatch(batch)
  }

  func removeEmptyBatch(_ id: Int64) throws(StoreError) {
    try session.run("DELETE FROM task_batches WHERE id = ? AND total = 0", .integer(id))
  }
}
