internal import AgentSystem
internal import GRDBSQLite
internal import Glibc

extension SQLiteWriter {
  /// Gives some of the pages that hold nothing back to the disk.
  /// - Returns: by how many bytes the file is smaller, and whether it is done.
  func compact() throws(StoreError) -> (bytes: Int64, isFinished: Bool) {
    // As a write that makes space: it is let through while the disk is full.
    if let refusal = health.refusal(of: .freeing) { throw refusal }
    do throws(StoreError) {
      return try compactStep()
    } catch {
      if error.concernsFile { failed(error, by: .statement) }
      throw error
    }
  }

  /// How many pages a step moves: 8 MB. Nobody writes for as long as that takes.
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
    // A step that released nothing would be followed by others like it, for ever.
    let isFinished = rest == 0 || bytes == 0
    // Moved pages are in the log of recent changes first. Without a checkpoint now and then the log
    // would grow by the whole file.
    guard isFinished else {
      checkpointIfDue()
      return (bytes, false)
    }
    do throws(StoreError) {
      // Only this mode makes the log shorter, and only a checkpoint makes the file itself shorter.
      try takeOver(SQLITE_CHECKPOINT_TRUNCATE)
    } catch  where error.code == .locked {
      // A reader still needs what is in the log; the next checkpoint takes it over.
    }
    return (bytes, true)
  }

  /// Limits the size of the file from now on; nil for no limit.
  func limit(bytes: Int64?) throws(StoreError) {
    shared.maxBytes = bytes
    // The file is being examined. The connection that is opened then takes the limit from `shared`.
    guard connection != nil else { return }
    try use { session throws(StoreError) in try session.limit(bytes: bytes) }
  }

  /// Brings the tables up to date. Before a step that has no way back it says so and writes a
  /// backup.
  func migrate(_ session: SQLiteSession, from version: Int64) throws(StoreError) {
    let configuration = shared.configuration
    let migrator = SQLiteMigrator(migrations: configuration.migrations)
    let final = migrator.ahead(of: version).first { $0.backwards == nil }
    // A new file, version 0, has nothing to lose.
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

  /// Renames a backup that a host has left when it was ended between its backup and the step. It
  /// isn't replaced, because an older version may have written more since then, and it doesn't keep
  /// this host from starting.
  private func keepFormerBackup(_ target: String) throws(StoreError) {
    guard access(target, F_OK) == 0 else { return }
    guard rename(target, "\(target).old") == 0 else {
      throw StoreError(
        .unusable, "\(target) is in the way of a backup and can't be renamed. Move it away.",
        cause: SystemError.text(errno))
    }
  }
}
