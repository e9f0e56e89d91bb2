internal import CSQLiteConfiguration
internal import GRDB
internal import GRDBSQLite
internal import Glibc

/// A connection opened by GRDB, with this target's statements. Used by one thread at a time.
///
/// Rationale: not GRDB's `DatabasePool`. Its writer sets `synchronous=NORMAL`, which lost
/// acknowledged rows in simulated power cuts (docs/decisions/0011).
final class SQLiteConnection {
  /// Whether SQLite counts no memory. The lock of these counts took 7 % of the time in which tasks
  /// are begun and ended.
  private static let isConfigured = sqlite_configuration_without_memory_counts() == SQLITE_OK

  private let queue: DatabaseQueue
  private let session: SQLiteSession

  /// Opens the file. A writer creates it if it doesn't exist.
  /// - Parameters:
  ///   - isReader: whether the connection is read-only.
  ///   - isReopening: whether this store has opened the file before.
  /// - Throws: `corrupt`, `full`, and `unusable` or, when reopening, `fault`, with a sentence for
  ///   the person who operates the host.
  init(path: String, isReader: Bool, isReopening: Bool = false) throws(StoreError) {
    _ = Self.isConfigured
    // Before SQLite creates the file. If the mode were set afterwards, other users could read the
    // file for a moment.
    if !isReader { Self.makePrivate(path) }
    var configuration = Configuration()
    configuration.readonly = isReader
    configuration.label = isReader ? "store.reader" : "store.writer"
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(5)
    // GRDB ends the process if a transaction stays open. On a broken disk, a rollback fails and
    // leaves one open. In that case, the writer closes the connection.
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
      throw Self.explain(StoreError(error), path, isReopening: isReopening)
    }
  }

  /// Creates a new file that only its owner can read. SQLite gives the files next to it the same
  /// mode.
  ///
  /// An existing file isn't opened, because a process loses its locks on a file when it closes any
  /// descriptor of that file.
  private static func makePrivate(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// Runs `body` on the calling thread, which waits while another thread uses the connection.
  func use<Value>(_ body: (SQLiteSession) throws(StoreError) -> Value) throws(StoreError) -> Value {
    do {
      return try queue.writeWithoutTransaction { _ in try body(session) }
    } catch {
      throw StoreError(error)
    }
  }

  /// Copies the whole database in the state of one transaction. Other connections can write
  /// meanwhile.
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

  /// Returns the error of opening a file with a message for people.
  private static func explain(
    _ error: StoreError, _ path: String, isReopening: Bool
  ) -> StoreError {
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
        // `fault` means that the same call may succeed later. A file that could never be opened
        // needs a person. One that was open before is as good as its disk, which may recover.
        error.code == .fault && !isReopening ? .unusable : error.code,
        "\(path) can't be opened. Check that its folder exists, is ours to write in, and that the "
          + "disk has room.", cause: error.cause)
    }
  }
}
