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

    init(_ row: SQLiteStatement) {
      id = row.integer(0)
      type = row.text(1)
      state = TaskRow.State(rawValue: row.text(2)) ?? .dead
      batch = row.optionalInteger(3)
      (created, updated) = (row.integer(4), row.integer(5))
      finished = row.optionalInteger(6)
      (bytes, creator) = (row.integer(7), row.optionalText(8))
    }
  }

  func remove(_ id: Int64) throws(StoreError) -> Bool {
    let found = try session.first(
      """
      SELECT id, type, state, batch, created, updated, finished, length(definition), creator
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
      SELECT id, type, state, batch, created, updated, finished, length(definition), creator
      FROM task_rows WHERE id > ? ORDER BY id LIMIT ?
      """, .integer(number), .integer(Int64(limit))
    ) { row throws(StoreError) in found.append(Remains(row)) }
    let old = found.filter { $0.finished.map { $0 < moment } ?? false }
    for task in old { try remove(task) }
    // Numbers increase with time. If every task of a step was created after the time, the remaining
    // tasks are new too, and the scan ends. Tasks with a time in the future were created while the
    // clock was ahead, so they don't end it. A single new task doesn't end it either, because the
    // clock may have been wrong.
    let isNew = found.allSatisfy { $0.created >= moment && $0.created <= now }
    return TaskRemoval(removed: old.map(\.id), last: isNew ? nil : found.last?.id)
  }

  private func remove(_ task: Remains) throws(StoreError) {
    try session.run("DELETE FROM tasks WHERE id = ?", .integer(task.id))
    try session.run("DELETE FROM task_claims WHERE task = ?", .integer(task.id))
    // Removed here, because the tables of tasks have no foreign keys.
    try session.run("DELETE FROM task_logs WHERE task = ?", .integer(task.id))
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
