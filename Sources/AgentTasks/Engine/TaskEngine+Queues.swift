internal import AgentStore

/// Renames queues that a former version named.
extension TaskEngine {
  private static let maxAtOnce = 500

  /// Renames queues with the names of a former version, because the parts of such a name are
  /// ambiguous. Tasks that aren't queued or held get the new name when they are queued.
  func renameFormerKeys(_ store: any Store) async throws {
    let former = try await store.read { snapshot in
      let held = try snapshot.tasks.leases(from: 0, limit: .max).map { $0.queueKey }
      let queued = try snapshot.tasks.queues().map { $0.name }
      return Set(queued + held).filter { QueueKey.isUnreadable($0) }
    }
    for queueKey in former {
      // A page at a time, so that other writes can run in between.
      var renamed = 1
      while renamed > 0 {
        renamed = try await store.write { try Self.rename(queueKey, $0.tasks) }
      }
    }
    if former.isEmpty { return }
    // The held tasks too, because the pages above contain queued tasks only.
    try await store.write { transaction in
      for lease in try transaction.tasks.leases(from: 0, limit: .max)
      where former.contains(lease.queueKey) {
        guard let row = try transaction.tasks.task(lease.task) else { continue }
        _ = try Self.rename(row, transaction.tasks)
      }
    }
  }

  /// Renames the queue of a page of queued tasks.
  /// - Returns: the number of tasks with a new queue. 0 means that no task is left to rename.
  private static func rename(_ queueKey: String, _ tasks: any TaskStorage) throws -> Int {
    try tasks.heads(of: queueKey, limit: maxAtOnce).count { try rename($0, tasks) }
  }

  private static func rename(_ row: TaskRow, _ tasks: any TaskStorage) throws -> Bool {
    var renamed = row
    // The new name comes from the definition, because the former name doesn't delimit its parts.
    renamed.queueKey = QueueKey(type: row.type, TaskDefinition(stored: row.definition)).name
    return try tasks.update(renamed, from: row) && renamed.queueKey != row.queueKey
  }
}
