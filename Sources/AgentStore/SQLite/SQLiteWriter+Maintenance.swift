internal import GRDBSQLite

extension SQLiteWriter {
  /// Releases some of the pages that nothing needs any more.
  func compact() throws(StoreError) -> (bytes: Int64, isFinished: Bool) {
    let (bytes, rest) = try use { session throws(StoreError) in
      let size = try session.number("PRAGMA page_size")
      let before = try session.number("PRAGMA page_count")
      try session.set(.incrementalVacuum, 2000)
      let after = try session.number("PRAGMA page_count")
      return ((before - after) * size, try session.number("PRAGMA freelist_count"))
    }
    // Where nothing could be released, going on wouldn't help.
    let isFinished = rest == 0 || bytes == 0
    if isFinished { try takeOver(SQLITE_CHECKPOINT_TRUNCATE) }
    return (bytes, isFinished)
  }

  /// Brings the tables up to date. Before a step that has no way back it says so and takes a backup.
  func migrate(_ session: SQLiteSession, from version: Int64) throws(StoreError) {
    let configuration = shared.configuration
    let migrator = SQLiteMigrator(migrations: configuration.migrations)
    let final = migrator.ahead(of: version).first { $0.backwards == nil }
    if version > 0, let final {
      let target = "\(configuration.path).before-\(final.number)"
      configuration.notice(
        "The database is brought from version \(version) to \(migrator.latest). There is no way "
          + "back behind \(final.number) (\(final.title)), so a backup is written to \(target) first."
      )
      try SQLiteBackup(source: configuration.path, target: target).run { _, _ in }
    }
    try migrator.update(session, from: version)
  }
}
