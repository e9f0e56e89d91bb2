internal import AgentStore

/// Renames queues that former versions have named.
extension TaskEngine {
  private static let maxAtOnce = 500

  /// Renames queues whose names a former version has written, since parts of such a name could be
  /// taken for others. Other tasks get the new name when they are queued.
  func renameFormerKeys(_ store: any Store) async throws {
    let former = try await store.read { snapshot in
      let held = try snapshot.tasks.held(from: 0, limit: .max).map { $0.queueKey }
      let queued = try snapshot.tasks.queues().map { $0.name }
      return Set(queued + held).filter { QueueKey.isUnreadable($0) }
    }
    for queueKey in former {
      var renamed = Self.maxAtOnce
      // A page at a time, so that other writes have their turn in between.
      while renamed == Self.maxAtOnce {
        renamed = try await store.write { try Self.rename(queueKey, $0.tasks) }
      }
    }
    if former.isEmpty { return }
    // Held tasks too: the pages above have queued tasks only.
    try await store.write { transaction in
      for row in try transaction.tasks.held(from: 0, limit: .max)
      where former.contains(row.queueKey) {
        try Self.rename(row, transaction.tasks)
      }
    }
  }

  private static func rename(_ queueKey: String, _ tasks: any TaskStorage) throws -> Int {
    let rows = try tasks.heads(of: queueKey, limit: maxAtOnce)
    for row in rows { try rename(row, tasks) }
    return rows.count
  }

  private static func rename(_ row: TaskRow, _ tasks: any TaskStorage) throws {
    var renamed = row
    // From the definition: a former name doesn't say where its parts end.
    renamed.queueKey = QueueKey(type: row.type, TaskDefinition(stored: row.definition)).name
    _ = try tasks.update(renamed, from: row)
  }
}
