internal import GRDBSQLite
internal import Glibc

extension SQLiteStore {
  /// The version of the SQLite library.
  public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// Returns the sizes and versions of the file. It uses its own connection and its own thread.
  public func fileStatistics() async throws -> StoreFileStatistics {
    try await Self.inspect(shared.configuration.path, checking: false).statistics
  }

  /// Examines a file without changing it. A host may have it open.
  ///
  /// - Parameter checking: whether every page, index and foreign key is checked too, which reads
  ///   the whole file.
  /// - Returns: the statistics, and the problems in SQLite's words. Problems count only if a second
  ///   reading finds some too.
  /// - Throws: `StoreError` if the file can't be read.
  public static func inspect(
    _ path: String, checking: Bool
  ) async throws -> (statistics: StoreFileStatistics, problems: [String]) {
    try await onThread { () throws(StoreError) in
      do throws(StoreError) {
        return try look(at: path, checking: checking)
      } catch  where error.code == .corrupt {
        // The file is read again over a new connection, because a temporary read error isn't
        // damage.
        return try look(at: path, checking: checking)
      }
    }
  }

  private static func look(
    at path: String, checking: Bool
  ) throws(StoreError) -> (statistics: StoreFileStatistics, problems: [String]) {
    // SQLite's message wouldn't say that the file is missing.
    guard size(of: path) != nil else {
      throw StoreError(.missing, "There is no \(path).")
    }
    let connection = try SQLiteConnection(path: path, isReader: true)
    let found = try connection.use { session throws(StoreError) in try fileStatistics(session, path)
    }
    try connection.close()
    return (found, checking ? try SQLiteExamination(path: path).problems() : [])
  }

  private static func fileStatistics(
    _ session: SQLiteSession, _ path: String
  ) throws(StoreError) -> StoreFileStatistics {
    StoreFileStatistics(
      tables: try session.number("PRAGMA user_version"),
      latestTables: SQLiteMigration.all.last?.number ?? 0,
      pageBytes: try session.number("PRAGMA page_size"),
      pages: try session.number("PRAGMA page_count"),
      freePages: try session.number("PRAGMA freelist_count"),
      journalMode: try session.first("PRAGMA journal_mode") { $0.text(0) } ?? "",
      fileBytes: size(of: path) ?? 0, logBytes: size(of: "\(path)-wal") ?? 0)
  }

  private static func size(of path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }
}
