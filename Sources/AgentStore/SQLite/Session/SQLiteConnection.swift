internal import GRDB
internal import GRDBSQLite
internal import Glibc

/// A connection that GRDB opened, and our statements on it. Used by one thread at a time.
///
/// Rationale: not GRDB's `DatabasePool`. Its writer sets `synchronous=NORMAL`, which lost
/// acknowledged rows in simulated power cuts (docs/decisions/0011).
final class SQLiteConnection {
  private let queue: DatabaseQueue
  private let session: SQLiteSession

  /// Opens the file. A writer makes it when it isn't there.
  /// - Parameter isReader: whether the connection can't change anything.
  /// - Throws: `corrupt`, `full` or `unusable`, with a sentence for the person who runs the host.
  init(path: String, isReader: Bool) throws(StoreError) {
    // Before SQLite makes it: a mode that is set afterwards leaves a moment in which others can
    // read.
    if !isReader { Self.makePrivate(path) }
    var configuration = Configuration()
    configuration.readonly = isReader
    configuration.label = isReader ? "store.reader" : "store.writer"
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(5)
    // GRDB ends the process where a transaction is left open. On a broken disk a roll-back fails
    // and leaves one; the writer closes the connection then.
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

  /// Makes a new file readable by its owner only; SQLite gives the files beside it the same mode.
  ///
  /// Only a new one: when a process closes any descriptor of a file, it loses its locks on that
  /// file.
  private static func makePrivate(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// Runs `body` on the calling thread, which waits while another one uses the connection.
  func use<Value>(_ body: (SQLiteSession) throws(StoreError) -> Value) throws(StoreError) -> Value {
    do {
      return try queue.writeWithoutTransaction { _ in try body(session) }
    } catch {
      throw StoreError(error)
    }
  }

  /// Copies the whole database, as one transaction sees it, while others go on writing.
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
    // Closing fails while the connection has prepared statements.
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
        // `fault` means that the store tries again by itself. This one waits for a person.
        error.code == .fault ? .unusable : error.code,
        "\(path) can't be opened. Check that its folder exists, is ours to write in, and that the "
          + "disk has room.", cause: error.cause)
    }
  }
}
