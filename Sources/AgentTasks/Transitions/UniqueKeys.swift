internal import AgentStore

/// Keys that make two tasks the same (`unique` of a draft). At most one task that hasn't ended has a
/// key.
enum UniqueKeys {
  /// Frees the key of an ended task, which remembers it for a later retry.
  static func free(
    _ key: String, from task: TaskRow, _ tasks: any TaskStorage
  ) throws -> Bool {
    var freed = task
    freed.uniqueKey = mark(of: task.id) + key
    return try tasks.update(freed, from: task)
  }

  /// Whether an ended task can't take its key back, because another one that hasn't ended has it.
  static func isTaken(_ row: TaskRow, _ tasks: any TaskStorage) throws -> Bool {
    let mark = mark(of: row.id)
    guard let stored = row.uniqueKey, stored.hasPrefix(mark),
      let other = try tasks.task(uniqueKey: String(stored.dropFirst(mark.count)))
    else { return false }
    return !other.state.isEnded
  }

  /// Gives a retried task its key back.
  /// - Throws: `conflict` if another task of this key hasn't ended: the two are the same.
  static func restore(_ row: TaskRow, _ tasks: any TaskStorage) throws -> TaskRow {
    let mark = mark(of: row.id)
    guard !row.state.isEnded, let stored = row.uniqueKey, stored.hasPrefix(mark) else { return row }
    var row = row
    let key = String(stored.dropFirst(mark.count))
    if let other = try tasks.task(uniqueKey: key) {
      // Two open tasks with one key would do the same work twice.
      guard other.state.isEnded else {
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

  private static func mark(of id: Int64) -> String { "was:\(id):" }
}
