public import AgentStore
internal import Synchronization

/// Removes tasks on request.
extension TaskEngine {
  /// Removes a task and its artifacts.
  /// - Throws: `conflict` if the host or a bot has it.
  /// - Returns: the last row of the task.
  @discardableResult
  public func delete(_ id: Int64) async throws -> TaskRow {
    if let store = state.withLock(\.phase.safeStore) { return try await delete(id, from: store) }
    let store = try readyStore()
    while true {
      let removed = try await commit(store) { transaction -> ([TaskChange], TaskRow?) in
        guard let row = try transaction.tasks.task(id) else { throw TaskError.unknown(id) }
        guard !row.state.isHeld else {
          throw TaskError(.conflict, "Task \(id) is \(row.state.rawValue): cancel it first.")
        }
        guard try Self.remove(row, in: transaction) else { return ([], nil) }
        return ([TaskChange(row, row, isRemoved: true)], row)
      }
      guard let removed else { continue }
      await artifactStore?.remove([id])
      return removed
    }
  }

  /// Removes a task in safe mode. It may be in any state, because nothing runs.
  private func delete(_ id: Int64, from store: any Store) async throws -> TaskRow {
    while true {
      let removed = try await store.write(.savepoint) { transaction -> TaskRow? in
        guard let row = try transaction.tasks.task(id) else { throw TaskError.unknown(id) }
        return try Self.remove(row, in: transaction) ? row : nil
      }
      guard let removed else { continue }
      // After the row is removed. If the host is killed in between, the next start removes the
      // files.
      await artifactStore?.remove([id])
      return removed
    }
  }

  /// Removes a task, or only a part of its log if the log is long: every other write waits for a
  /// step, and a log may have a million lines.
  /// - Returns: whether the task is removed. If not, another step follows.
  private static func remove(
    _ row: TaskRow, in transaction: any StoreTransaction
  ) throws -> Bool {
    guard try transaction.tasks.removeLogLines(of: row.id) else { return false }
    return try transaction.tasks.remove(row.id)
  }
}
