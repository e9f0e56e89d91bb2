internal import AgentStore

/// Unique keys, which make two tasks the same (`unique` of a draft). At most one open task has a
/// given key.
enum UniqueKeys {
  /// Releases the key of an ended task. The task keeps it in another form for a later retry.
  static func free(
    _ key: String, from task: TaskRow, _ tasks: any TaskStorage
  ) throws -> Bool {
    var freed = task
    freed.uniqueKey = mark(of: task.id) + key
    return try tasks.update(freed, from: task)
  }

  /// Returns whether an ended task can't use its key again, because another open task has it.
  static func isTaken(_ row: TaskRow, _ tasks: any TaskStorage) throws -> Bool {
    let mark = mark(of: row.id)
    guard let stored = row.uniqueKey, stored.hasPrefix(mark),
      let other = try tasks.task(uniqueKey: String(stored.dropFirst(mark.count)))
    else { return false }
    return !other.state.isEnded
  }

  /// The error for a caller that may not read the task with its unique key. It names nothing of that
  /// task: neither its number nor its name or state.
  static var unreadable: TaskError {
    TaskError(
      .conflict,
      "A task that this caller may not read has the same unique key. Use another key.")
  }

  /// Restores the key of a retried task.
  /// - Parameter mayName: whether the caller may read the other task with the key.
  /// - Throws: `conflict` if another open task has the key.
  static func restore(
    _ row: TaskRow, mayName: (TaskRow) -> Bool, _ tasks: any TaskStorage
  ) throws -> TaskRow {
    let mark = mark(of: row.id)
    guard !row.state.isEnded, let stored = row.uniqueKey, stored.hasPrefix(mark) else { return row }
    var row = row
    let key = String(stored.dropFirst(mark.count))
    if let other = try tasks.task(uniqueKey: key) {
      // Two open tasks with one key would do the same work twice.
      guard other.state.isEnded else {
        guard mayName(other) else { throw unreadable }
        throw TaskError(
          .conflict,
          "Task \(other.id) is the same as task \(row.id) and has not ended. Wait for its end, or "
            + "cancel it.")
      }
      _ = try free(key, from: other, tasks)
    }
    row.uniqueKey = key
    return row
  }

  /// Returns the prefix of a released key. It contains the number of the task, because released
  /// keys must be unique too.
  private static func mark(of id: Int64) -> String { "was:\(id):" }
}
