internal import GRDB
internal import GRDBSQLite
internal import Glibc

/// A connection that GRDB has opened, and our statements on it. One thread at a time.
final class SQLiteConnection {
  private let queue: DatabaseQueue
  private let session: SQLiteSession

  /// - Parameter isReader: the connection can't change anything.
  init(path: String, isReader: Bool) throws(StoreError) {
    if !isReader { Self.makePrivate(path) }
    var configuration = Configuration()
    configuration.readonly = isReader
    configuration.label = isReader ? "store.reader" : "store.writer"
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(5)
    // A roll-back that fails, as on a broken disk, must not end the process.
    configuration.allowsUnsafeTransactions = true
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      session = try queue.writeWithoutTransaction { db in
        guard let handle = db.sqliteConnection else {
          throw StoreError(.unusable, "The database can't be opened.")
        }
        return SQLiteSession(handle)
      }
    } catch {
      throw Self.explain(StoreError(error), path)
    }
  }

  /// A new file is for its owner only; SQLite gives what it makes beside it the same mode.
  ///
  /// Only a new one: closing another descriptor of a file would drop this process's locks on it.
  private static func makePrivate(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// Runs on the calling thread.
  func use<Value>(_ body: (SQLiteSession) throws(StoreError) -> Value) throws(StoreError) -> Value {
    do {
      return try queue.writeWithoutTransaction { _ in try body(session) }
    } catch {
      throw StoreError(error)
    }
  }

  /// A copy of the whole database, as one transaction sees it, while others go on writing.
  func copy(
    to other: SQLiteConnection, pagesPerStep: Int32,
    progress: @escaping (_ done: Int, _ total: Int) -> Void
  ) throws(StoreError) {
    do {
      try queue.writeWithoutTransaction { source in
        try other.queue.writeWithoutTransaction { target in
          try source.backup(to: target, pagesPerStep: pagesPerStep) {
            progress($0.completedPageCount, $0.totalPageCount)
          }
        }
      }
    } catch {
      throw StoreError(error)
    }
  }

  func close() throws(StoreError) {
    session.finalize()
    do { try queue.close() } catch { throw StoreError(error) }
  }

  private static func explain(_ error: StoreError, _ path: String) -> StoreError {
    switch error.code {
    case .corrupt:
      StoreError(
        .corrupt, "\(path) isn't a database, or is damaged. Restore a backup, or move it away.",
        cause: error.cause)
    case .full:
      StoreError(
        .full, "\(path) can't be opened: there is no room on its disk. Make room.",
        cause: error.cause)
    default:
      StoreError(
        error.code == .fault ? .unusable : error.code,
        "\(path) can't be opened. Check that its folder exists, is ours to write in, and that the "
          + "disk has room.", cause: error.cause)
    }
  }
}
