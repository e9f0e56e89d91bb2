internal import AgentStore

/// Keys that say when two tasks are one.
extension TaskEngine {
  /// A task that has ended leaves its key to another, and remembers which it had.
  static func free(
    _ key: String, from task: TaskRow, _ tasks: any TaskStorage
  ) throws -> Bool {
    var freed = task
    freed.uniqueKey = mark(of: task.id) + key
    return try tasks.update(freed, from: task)
  }

  /// A task that goes on after its end takes the key back that it has left to another.
  /// - Throws: `conflict` where that one has not ended: the two are the same.
  static func takeKeyBack(_ row: TaskRow, _ tasks: any TaskStorage) throws -> TaskRow {
    let mark = mark(of: row.id)
    guard !row.state.isEnded, let stored = row.uniqueKey, stored.hasPrefix(mark) else { return row }
    var row = row
    let key = String(stored.dropFirst(mark.count))
    if let other = try tasks.task(uniqueKey: key) {
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
