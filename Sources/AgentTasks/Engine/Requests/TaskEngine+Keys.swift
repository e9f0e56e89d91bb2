internal import AgentStore

/// Keys that make two tasks the same.
extension TaskEngine {
  /// Frees the key of an ended task, which remembers it for a later retry.
  static func free(
    _ key: String, from task: TaskRow, _ tasks: any TaskStorage
  ) throws -> Bool {
    var freed = task
    freed.uniqueKey = mark(of: task.id) + key
    return try tasks.update(freed, from: task)
  }

  /// Gives a retried task its key back.
  /// - Throws: `conflict` if another task of this key hasn't ended: the two are the same.
  static func takeKeyBack(_ row: TaskRow, _ tasks: any TaskStorage) throws -> TaskRow {
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
