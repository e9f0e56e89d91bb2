internal import GRDBSQLite
internal import Glibc

/// Copies a database while it is in use, through SQLite's backup interface.
///
/// The copy is what one transaction sees, so it never begins anew however much is written meanwhile;
/// until it is done, the log of recent changes grows. It appears under its name when it is complete,
/// checked and synced, as one file without a log beside it.
struct SQLiteBackup {
  let source: String
  let target: String
  /// 1 MB at a time.
  private static let pagesPerStep: Int32 = 256

  /// - Parameter progress: pages copied so far, and pages in all.
  func run(progress: @escaping (Int, Int) -> Void) throws(StoreError) {
    guard access(target, F_OK) != 0 else {
      throw StoreError(.invalid, "\(target) exists. Name another file, or remove that one.")
    }
    let partial = "\(target).partial"
    unlink(partial)
    do throws(StoreError) {
      try copy(to: partial, progress)
      try publish(partial)
    } catch {
      for name in [partial, "\(partial)-journal", "\(partial)-wal", "\(partial)-shm"] {
        unlink(name)
      }
      throw error
    }
  }

  private func copy(to partial: String, _ progress: @escaping (Int, Int) -> Void) throws(StoreError)
  {
    let from = try SQLiteConnection(path: source, isReader: true)
    let to = try SQLiteConnection(path: partial, isReader: false)
    try from.use { session throws(StoreError) in
      try session.run("BEGIN")
      _ = try session.number("SELECT count(*) FROM sqlite_schema")
    }
    try from.copy(to: to, pagesPerStep: Self.pagesPerStep, progress: progress)
    try from.close()
    try to.use { session throws(StoreError) in
      _ = try session.first("PRAGMA journal_mode = DELETE") { $0.text(0) }
      try session.check(isQuick: false)
    }
    try to.close()
  }

  private func publish(_ partial: String) throws(StoreError) {
    chmod(partial, 0o600)
    guard FolderSync.sync(partial), rename(partial, target) == 0,
      FolderSync.sync(FolderSync.folder(of: target))
    else {
      throw StoreError(
        .fault, "The backup \(target) can't be written.", cause: String(cString: strerror(errno)))
    }
  }
}
