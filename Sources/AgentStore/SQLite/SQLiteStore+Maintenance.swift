internal import AgentSystem

extension SQLiteStore {
  /// Writes a complete copy of the database to a file that doesn't exist yet, while the store is
  /// in use.
  ///
  /// - Parameter progress: gets pages copied so far and pages in all, on the copying thread.
  /// - Throws: `StoreError`: `invalid` when the target exists, `fault` when it can't be written.
  public func backup(
    to path: String, progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws {
    let backup = SQLiteBackup(source: shared.configuration.path, target: path)
    try await onThread { () throws(StoreError) in try backup.run(progress: progress) }
  }

  /// Checks the whole file: every page, every index, every foreign key.
  ///
  /// - Returns: what is wrong, in SQLite's words, as two readings have found it; empty when nothing
  ///   is.
  /// - Throws: `fault` when the disk doesn't give all of it.
  public func integrityProblems() async throws -> [String] {
    let path = shared.configuration.path
    return try await onThread { () throws(StoreError) in
      try SQLiteExamination(path: path).problems()
    }
  }

  /// Gives the space of what was removed back to the disk, in steps between which others write.
  ///
  /// Rationale: not `VACUUM INTO`, which needs space for a second copy (docs/decisions/0011).
  ///
  /// - Returns: by how many bytes the file is smaller now.
  /// - Throws: `CancellationError` between two steps; the file keeps the size that it has then.
  @discardableResult
  public func compact() async throws -> Int64 {
    var released: Int64 = 0
    while true {
      let step = try await alone { writer throws(StoreError) in try writer.compact() }
      released = released.adding(step.bytes)
      if step.isFinished { return released }
      // Between two steps the file is whole, so ending here loses nothing.
      try Task.checkCancellation()
    }
  }

  /// Limits the size of the file from now on; nil for no limit. A file that is larger grows no
  /// further.
  public func limit(bytes: Int64?) async throws {
    try await alone { writer throws(StoreError) in try writer.limit(bytes: bytes) }
  }

  /// Takes a file's tables back to a former version. No host may have the file open.
  ///
  /// - Returns: the version that the file had.
  @discardableResult
  public static func revert(
    _ configuration: SQLiteStoreConfiguration, to version: Int64
  ) async throws -> Int64 {
    try await onThread { () throws(StoreError) in
      // As an open store does: a host that has the file open would go on with tables that are gone.
      let lock = try StoreLock(beside: configuration.path)
      defer { lock.release() }
      let connection = try SQLiteConnection(path: configuration.path, isReader: false)
      let former = try connection.use { session throws(StoreError) in
        let migrator = SQLiteMigrator(migrations: configuration.migrations)
        let former = try migrator.version(session, path: configuration.path)
        try migrator.revert(session, from: former, to: version)
        return former
      }
      try connection.close()
      return former
    }
  }

  /// Runs `body` on the writer's thread, between transactions.
  private func alone<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteWriter) throws(StoreError) -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let isOpen = shared.writes.put(
        .alone { writer in
          do throws(StoreError) {
            continuation.resume(returning: try body(writer))
          } catch {
            continuation.resume(throwing: error)
          }
        })
      if !isOpen { continuation.resume(throwing: StoreError.closed) }
    }
  }

  private func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(StoreError) -> Value
  ) async throws -> Value {
    guard condition != .closed else { throw StoreError.closed }
    return try await Self.onThread(body)
  }

  /// Runs `body` on a thread of its own, because it takes long and SQLite blocks.
  static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(StoreError) -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      do throws(StoreError) {
        try WorkThread.start {
          do throws(StoreError) {
            continuation.resume(returning: try body())
          } catch {
            continuation.resume(throwing: error)
          }
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
