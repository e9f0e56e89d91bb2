internal import GRDBSQLite
internal import Glibc

extension SQLiteStore {
  /// The version of SQLite that this program uses.
  public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// Sizes and versions of the file now, over a connection of its own on a thread of its own.
  public func fileStatistics() async throws -> StoreFileStatistics {
    try await Self.inspect(shared.configuration.path, checking: false).statistics
  }

  /// Looks at a file, whether a host has it open or not, and changes nothing.
  ///
  /// - Parameter checking: whether every page, index and foreign key is checked too, which reads
  ///   all of it.
  /// - Returns: its statistics, and what is wrong with it, in SQLite's words: what a second reading
  ///   finds as well.
  /// - Throws: `StoreError` when it can't be read at all.
  public static func inspect(
    _ path: String, checking: Bool
  ) async throws -> (statistics: StoreFileStatistics, problems: [String]) {
    try await onThread { () throws(StoreError) in
      do throws(StoreError) {
        return try look(at: path, checking: checking)
      } catch  where error.code == .corrupt {
        // Read once more, over a new connection: a disk that fails for a moment isn't a damaged
        // file.
        return try look(at: path, checking: checking)
      }
    }
  }

  private static func look(
    at path: String, checking: Bool
  ) throws(StoreError) -> (statistics: StoreFileStatistics, problems: [String]) {
    // SQLite would say only that it can't be opened.
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
