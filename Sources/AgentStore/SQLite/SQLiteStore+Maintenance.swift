internal import AgentSystem

extension SQLiteStore {
  /// Writes a complete copy of the database to a file that doesn't exist yet, while the store is
  /// in use.
  ///
  /// - Parameter progress: pages copied so far, and pages in all; on the copying thread.
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

  /// Gives the room of what was removed back to the disk, in steps between which others write.
  ///
  /// - Returns: how many bytes the file has become smaller.
  /// - Throws: `CancellationError` between two steps; what was given back stays so.
  @discardableResult
  public func compact() async throws -> Int64 {
    var released: Int64 = 0
    while true {
      let step = try await alone { writer throws(StoreError) in try writer.compact() }
      released = released.adding(step.bytes)
      if step.isFinished { return released }
      try Task.checkCancellation()
    }
  }

  /// From now on the file takes so many bytes and no more; nil for no limit. A file that is larger
  /// grows no further.
  public func limit(bytes: Int64?) async throws {
    try await alone { writer throws(StoreError) in try writer.limit(bytes: bytes) }
  }

  /// Takes a file's tables back to a former version. The store must not be open.
  ///
  /// - Returns: the version that the file had.
  @discardableResult
  public static func revert(
    _ configuration: SQLiteStoreConfiguration, to version: Int64
  ) async throws -> Int64 {
    try await onThread { () throws(StoreError) in
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

  /// On the writer's thread, between transactions.
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

  /// On a thread of its own: it takes long, and SQLite blocks.
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
