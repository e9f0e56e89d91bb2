internal import AgentSystem
internal import GRDBSQLite
internal import Glibc

extension SQLiteWriter {
  /// Returns some free pages to the disk.
  /// - Returns: the number of bytes by which the file became smaller, and whether all is done.
  func compact() throws(StoreError) -> (bytes: Int64, isFinished: Bool) {
    // It is checked like a write that frees space, so it is allowed while the disk is full.
    if let refusal = health.refusal(of: .freeing) { throw refusal }
    do throws(StoreError) {
      return try compactStep()
    } catch {
      if error.concernsFile { failed(error, by: .statement) }
      throw error
    }
  }

  /// The number of pages that a step moves: 8 MB. No write can run during a step.
  private static let pagesPerStep: Int64 = 2000

  private func compactStep() throws(StoreError) -> (bytes: Int64, isFinished: Bool) {
    let (bytes, rest) = try use { session throws(StoreError) in
      let size = try session.number("PRAGMA page_size")
      let before = try session.number("PRAGMA page_count")
      try session.set(.incrementalVacuum, Self.pagesPerStep)
      let after = try session.number("PRAGMA page_count")
      return (
        before.subtracting(after).multiplied(size), try session.number("PRAGMA freelist_count")
      )
    }
    // A step that released nothing would be followed by further such steps forever.
    let isFinished = rest == 0 || bytes == 0
    // Moved pages go into the write-ahead log first. Without regular checkpoints, the log would
    // grow by the size of the file.
    guard isFinished else {
      checkpointIfDue()
      return (bytes, false)
    }
    do throws(StoreError) {
      // Only this mode truncates the log, and only a checkpoint truncates the file.
      try takeOver(SQLITE_CHECKPOINT_TRUNCATE)
    } catch  where error.code == .locked {
      // A reader still needs the log. The next checkpoint writes it into the file.
    }
    return (bytes, true)
  }

  /// Limits the size of the file; `nil` for no limit.
  func limit(bytes: Int64?) throws(StoreError) {
    shared.maxBytes = bytes
    // Without a connection, the file is being examined. The next connection reads the limit from
    // `shared`.
    guard connection != nil else { return }
    try use { session throws(StoreError) in try session.limit(bytes: bytes) }
  }

  /// Migrates the tables to the latest version. Before an irreversible migration it writes a notice
  /// and a backup.
  func migrate(_ session: SQLiteSession, from version: Int64) throws(StoreError) {
    let configuration = shared.configuration
    let migrator = SQLiteMigrator(migrations: configuration.migrations)
    let final = migrator.ahead(of: version).first { $0.backwards == nil }
    // A new file has version 0 and no data to lose.
    if version > 0, let final {
      let target = "\(configuration.path).before-\(final.number)"
      try keepFormerBackup(target)
      configuration.notice(
        "The database is migrated from version \(version) to \(migrator.latest). There is no way "
          + "back below \(final.number) (\(final.title)), so a backup is written to \(target) "
          + "first."
      )
      try SQLiteBackup(source: configuration.path, target: target).run { _, _ in }
    }
    try migrator.update(session, from: version)
  }

  /// Renames a backup of a host that was killed between its backup and the migration. The backup
  /// isn't replaced, because a former version may have written more since then. It must not prevent
  /// this host from starting either.
  private func keepFormerBackup(_ target: String) throws(StoreError) {
    guard access(target, F_OK) == 0 else { return }
    guard rename(target, "\(target).old") == 0 else {
      throw StoreError(
        .unusable, "\(target) is in the way of a backup and can't be renamed. Move it away.",
        cause: SystemError.text(errno))
    }
  }
}
