internal import AgentSystem

/// Brings the tables of a file to a version, step by step, each in a transaction of its own.
struct SQLiteMigrator {
  let migrations: [SQLiteMigration]

  var latest: Int64 { migrations.last?.number ?? 0 }

  /// The version of a file.
  /// - Throws: `unusable` for a database of another program, `newer` for one of a newer version.
  ///   Neither is changed.
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

  /// The steps from a version to the latest.
  func ahead(of version: Int64) -> ArraySlice<SQLiteMigration> {
    migrations.drop { $0.number <= version }
  }

  /// Brings the tables to the latest version. A step that fails leaves the version before it.
  func update(_ session: SQLiteSession, from version: Int64) throws(StoreError) {
    for migration in ahead(of: version) {
      try run(migration.forwards, to: migration.number, on: session)
    }
  }

  /// Takes the tables back to a former version.
  /// - Throws: `invalid`, before anything is changed, when a step has no way back.
  func revert(_ session: SQLiteSession, from version: Int64, to target: Int64) throws(StoreError) {
    let steps = migrations.reversed().filter { $0.number <= version && $0.number > target }
    // Before the first step: half of the way back would be a version that nobody asked for.
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
      // In the same transaction as the tables: a host that is killed here finds the step before.
      try session.set(.applicationID, SQLiteSchema.applicationID)
      try session.set(.userVersion, version)
      try session.run("COMMIT")
    } catch {
      // A failed roll-back is no news: `error` is what went wrong, and nothing was committed.
      if session.isInTransaction { try? session.run("ROLLBACK") }
      throw error
    }
  }
}
