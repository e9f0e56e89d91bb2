internal import AgentSystem
internal import GRDBSQLite
internal import Glibc

/// Copies a database while it is in use, through SQLite's backup interface.
///
/// The copy is what one transaction sees, so it never begins anew however much is written
/// meanwhile; until it is done, the log of recent changes grows. It appears under its name when it
/// is complete, checked and synced, as one file without a log beside it.
struct SQLiteBackup {
  let source: String
  let target: String
  /// 1 MB at a time, with pages of 4 KB.
  private static let pagesPerStep: Int32 = 256

  /// Copies, checks, syncs and names. Blocks the calling thread for as long as that takes.
  /// - Parameter progress: gets pages copied so far and pages in all, on the calling thread.
  /// - Throws: `invalid` when the target exists, `corrupt` when the copy isn't whole, `fault` when
  ///   it can't be written. Nothing of the copy stays then.
  func run(progress: @escaping (Int, Int) -> Void) throws(StoreError) {
    // Checked before minutes of copying; `name` checks again.
    guard access(target, F_OK) != 0 else { throw exists }
    let partial = "\(target).partial"
    // An interrupted backup may have left one.
    unlink(partial)
    do throws(StoreError) {
      try copy(to: partial, progress)
      try publish(partial)
    } catch {
      // SQLite may have made these beside the copy.
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
      // A transaction that has read something sees one state until its end. Without it SQLite
      // begins the copy anew whenever another connection writes.
      try session.run("BEGIN")
      _ = try session.number("SELECT count(*) FROM sqlite_schema")
    }
    try from.copy(to: to, pagesPerStep: Self.pagesPerStep, progress: progress)
    try from.close()
    try to.use { session throws(StoreError) in
      // The copy takes the journal mode of its source. As one file it can be moved without its log.
      _ = try session.first("PRAGMA journal_mode = DELETE") { $0.text(0) }
      try session.check(isQuick: false)
    }
    try to.close()
  }

  private func publish(_ partial: String) throws(StoreError) {
    // Before it has its name: nobody else may read what the database holds.
    chmod(partial, 0o600)
    guard FolderSync.sync(partial) else { throw unwritten(errno) }
    // Synced before it is named, so that a power cut leaves no name without its content.
    try name(partial)
    guard FolderSync.sync(FolderSync.folder(of: target)) else { throw unwritten(errno) }
  }

  /// Gives the copy its name, if there still is nothing of that name: a copy takes minutes.
  private func name(_ partial: String) throws(StoreError) {
    // `rename` would replace what has appeared meanwhile; a second name is refused then.
    if link(partial, target) == 0 {
      unlink(partial)
      return
    }
    switch errno {
    case EEXIST: throw exists
    // A disk without hard links, such as a memory stick's.
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
