internal import AgentSystem

extension SQLiteStore {
  /// Writes a complete copy of the database to a new file while the store is in use.
  ///
  /// - Parameter progress: receives the number of copied pages and of all pages, on the copying
  ///   thread.
  /// - Throws: `StoreError`: `invalid` if the target exists, `fault` if it can't be written.
  public func backup(
    to path: String, progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws {
    let backup = SQLiteBackup(source: shared.configuration.path, target: path)
    try await onThread { () throws(StoreError) in try backup.run(progress: progress) }
  }

  /// Checks the whole file: every page, every index and every foreign key.
  ///
  /// - Returns: the problems in SQLite's words, if two readings have found some. Else empty.
  /// - Throws: `fault` if the file can't be read completely.
  public func integrityProblems() async throws -> [String] {
    let path = shared.configuration.path
    return try await onThread { () throws(StoreError) in
      try SQLiteExamination(path: path).problems()
    }
  }

  /// Returns the space of removed rows to the disk, in steps. Other writes can run between the
  /// steps.
  ///
  /// Rationale: not `VACUUM INTO`, which needs space for a second copy (docs/decisions/0011).
  ///
  /// - Returns: the number of bytes by which the file became smaller.
  /// - Throws: `CancellationError` between two steps. The file then keeps its current size.
  @discardableResult
  public func compact() async throws -> Int64 {
    var released: Int64 = 0
    while true {
      let step = try await alone { writer throws(StoreError) in try writer.compact() }
      released = released.adding(step.bytes)
      if step.isFinished { return released }
      // The file is consistent between two steps, so cancellation loses nothing.
      try Task.checkCancellation()
    }
  }

  /// Limits the size of the file; `nil` for no limit. A file that is already larger doesn't grow
  /// any further.
  public func limit(bytes: Int64?) async throws {
    try await alone { writer throws(StoreError) in try writer.limit(bytes: bytes) }
  }

  /// Reverts the tables of a file to a former version. No host may have the file open.
  ///
  /// - Returns: the former version of the file.
  /// - Throws: `locked` if a host has the file open.
  @discardableResult
  public static func revert(
    _ configuration: SQLiteStoreConfiguration, to version: Int64
  ) async throws -> Int64 {
    try await onThread { () throws(StoreError) in
      // The lock refuses a file that is in use. Its host would continue with tables that don't
      // exist.
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

  /// Runs `body` on its own thread, because it takes long and SQLite blocks.
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
