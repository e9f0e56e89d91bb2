internal import AgentSystem
internal import GRDBSQLite
internal import Glibc

/// Copies a database while it is in use, with SQLite's backup interface.
///
/// The copy contains the state of one transaction, so it never restarts because of other writes.
/// While it runs, the write-ahead log grows. The target file appears when the copy is complete,
/// checked and synced. It is a single file without a log.
struct SQLiteBackup {
  let source: String
  let target: String
  /// The pages of a step: 1 MB with pages of 4 KB.
  private static let pagesPerStep: Int32 = 256

  /// Copies, checks, syncs and renames. Blocks the calling thread until the copy is complete.
  /// - Parameter progress: receives the number of copied pages and of all pages, on the calling
  ///   thread.
  /// - Throws: `invalid` if the target exists, `corrupt` if the copy is damaged, `fault` if it
  ///   can't be written. Then the partial copy is removed.
  func run(progress: @escaping (Int, Int) -> Void) throws(StoreError) {
    // Checked before minutes of copying. `name` checks it again.
    guard access(target, F_OK) != 0 else { throw exists }
    let partial = "\(target).partial"
    // An interrupted backup may have left a partial file.
    unlink(partial)
    do throws(StoreError) {
      try copy(to: partial, progress)
      try publish(partial)
    } catch {
      // SQLite may have created these files next to the copy.
      for name in [partial, "\(partial)-journal", "\(partial)-wal", "\(partial)-shm"] {
        unlink(name)
      }
      throw error
    }
  }

  /// Copies the database to a partial file and checks it.
  private func copy(to partial: String, _ progress: @escaping (Int, Int) -> Void) throws(StoreError)
  {
    let from = try SQLiteConnection(path: source, isReader: true)
    let to = try SQLiteConnection(path: partial, isReader: false)
    try from.use { session throws(StoreError) in
      // A transaction sees one state from its first read to its end. Without it, SQLite restarts
      // the copy whenever another connection writes.
      try session.run("BEGIN")
      _ = try session.number("SELECT count(*) FROM sqlite_schema")
    }
    try from.copy(to: to, pagesPerStep: Self.pagesPerStep, progress: progress)
    try from.close()
    try to.use { session throws(StoreError) in
      // The copy inherits the journal mode of its source. In this mode, it is a single file that
      // can be moved without its log.
      _ = try session.first("PRAGMA journal_mode = DELETE") { $0.text(0) }
      try session.check(isQuick: false)
    }
    try to.close()
  }

  /// Makes the copy durable and gives it its name.
  private func publish(_ partial: String) throws(StoreError) {
    // Before it gets its name, because no other user may read the database.
    chmod(partial, 0o600)
    guard FolderSync.sync(partial) else { throw unwritten(errno) }
    // Synced before it is renamed, so that a power failure leaves no file with missing content.
    try name(partial)
    guard FolderSync.sync(FolderSync.folder(of: target)) else { throw unwritten(errno) }
  }

  /// Renames the copy, unless the target has appeared during the copying.
  private func name(_ partial: String) throws(StoreError) {
    // `rename` would replace a target that has appeared in the meantime, but `link` refuses that.
    if link(partial, target) == 0 {
      unlink(partial)
      return
    }
    switch errno {
    case EEXIST: throw exists
    // A file system without hard links, such as that of a USB stick.
    case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
      guard access(target, F_OK) != 0 else { throw exists }
      guard rename(partial, target) == 0 else { throw unwritten(errno) }
    case let code: throw unwritten(code)
    }
  }

  private var exists: StoreError {
    StoreError(.invalid, "\(target) exists. Name another file, or remove that one.")
  }

  private func unwritten(_ code: Int32) -> StoreError {
    StoreError(
      .fault, "The backup \(target) can't be written.", cause: SystemError.text(code))
  }
}
