internal import AgentSystem

/// Migrates the tables of a file to a version. Each migration has its own transaction.
struct SQLiteMigrator {
  let migrations: [SQLiteMigration]

  var latest: Int64 { migrations.last?.number ?? 0 }

  /// Returns the version of a file, which isn't changed.
  /// - Throws: `unusable` for a database of another program, `newer` for a file of a newer version.
  func version(_ session: SQLiteSession, path: String) throws(StoreError) -> Int64 {
    let version = try session.number("PRAGMA user_version")
    let owner = try session.number("PRAGMA application_id")
    // A new file has no owner yet. An empty database of another program has one.
    let isEmpty = try session.number("SELECT count(*) FROM sqlite_schema") == 0
    guard owner == SQLiteSchema.applicationID || (isEmpty && owner == 0) else {
      throw StoreError(
        .unusable, "\(path) is a database of another program. Move it away, or name another file.")
    }
    guard version <= latest else {
      throw StoreError(
        .newer,
        "\(path) was written by a newer version (its tables have number \(version), this version "
          + "knows up to \(latest)). Install that version, or restore a backup.")
    }
    return version
  }

  /// Returns the migrations after a version.
  func ahead(of version: Int64) -> ArraySlice<SQLiteMigration> {
    migrations.drop { $0.number <= version }
  }

  /// Migrates the tables to the latest version. If a migration fails, the file keeps the version
  /// before it.
  func update(_ session: SQLiteSession, from version: Int64) throws(StoreError) {
    for migration in ahead(of: version) {
      try run(migration.forwards, to: migration.number, on: session)
    }
  }

  /// Reverts the tables to a former version.
  /// - Throws: `invalid` if a migration is irreversible. Then nothing has changed.
  func revert(_ session: SQLiteSession, from version: Int64, to target: Int64) throws(StoreError) {
    let steps = migrations.reversed().filter { $0.number <= version && $0.number > target }
    // Before the first migration is reverted. Otherwise, the file would have a version that the
    // caller didn't request.
    if let final = steps.first(where: { $0.backwards == nil }) {
      throw StoreError(
        .invalid,
        "There is no way back below number \(final.number) (\(final.title)). Restore the backup "
          + "that was taken before it.")
    }
    for step in steps {
      try run(step.backwards ?? [], to: step.number.subtracting(1), on: session)
    }
  }

  private func run(
    _ statements: [StaticString], to version: Int64, on session: SQLiteSession
  ) throws(StoreError) {
    try session.run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      for statement in statements { try session.run(statement) }
      // In the same transaction as the tables. If the host is killed here, the file has the version
      // before.
      try session.set(.applicationID, SQLiteSchema.applicationID)
      try session.set(.userVersion, version)
      try session.run("COMMIT")
    } catch {
      // An error of the rollback is ignored, because `error` is the cause and nothing was
      // committed.
      if session.isInTransaction { try? session.run("ROLLBACK") }
      throw error
    }
  }
}
