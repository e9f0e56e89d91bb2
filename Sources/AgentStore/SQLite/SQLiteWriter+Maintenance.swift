internal import AgentSystem
internal import GRDBSQLite
internal import Glibc

extension SQLiteWriter {
  /// Releases some of the pages that nothing needs any more.
  func compact() throws(StoreError) -> (bytes: Int64, isFinished: Bool) {
    if let refusal = health.refusal(of: .freeing) { throw refusal }
    do throws(StoreError) {
      return try compactStep()
    } catch {
      if error.concernsFile { failed(error, by: .statement) }
      throw error
    }
  }

  /// How many pages a step moves: 8 MB, for as long as that takes nobody writes.
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
    // Where nothing could be released, going on wouldn't help.
    let isFinished = rest == 0 || bytes == 0
    // What was moved is in the log of recent changes first, which is not to grow by all of it.
    guard isFinished else {
      checkpointIfDue()
      return (bytes, false)
    }
    do throws(StoreError) {
      try takeOver(SQLITE_CHECKPOINT_TRUNCATE)
    } catch  where error.code == .locked {
      // A reader needs it where it is; the next checkpoint takes it over.
    }
    return (bytes, true)
  }

  /// From now on the file takes so many bytes; nil for no limit.
  func limit(bytes: Int64?) throws(StoreError) {
    shared.maximumBytes = bytes
    // Without a connection the next one takes it.
    guard connection != nil else { return }
    try use { session throws(StoreError) in try session.limit(bytes: bytes) }
  }

  /// Brings the tables up to date. Before a step that has no way back it says so and takes a backup.
  func migrate(_ session: SQLiteSession, from version: Int64) throws(StoreError) {
    let configuration = shared.configuration
    let migrator = SQLiteMigrator(migrations: configuration.migrations)
    let final = migrator.ahead(of: version).first { $0.backwards == nil }
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

  /// A host that was ended between its backup and the step has left one. It isn't replaced, since
  /// an older version may have written more since, and it doesn't keep this one from starting.
  private func keepFormerBackup(_ target: String) throws(StoreError) {
    guard access(target, F_OK) == 0 else { return }
    guard rename(target, "\(target).old") == 0 else {
      throw StoreError(
        .unusable, "\(target) is in the way of a backup and can't be renamed. Move it away.",
        cause: String(cString: strerror(errno)))
    }
  }
}
