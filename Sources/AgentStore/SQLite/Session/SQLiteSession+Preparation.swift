internal import GRDBSQLite

extension SQLiteSession {
  /// Configures a connection for writing, and checks the result.
  /// - Parameter maxBytes: the largest size of the file; `nil` for no limit.
  /// - Throws: `unusable` if the file system doesn't support the write-ahead log, or if SQLite
  ///   doesn't make each commit durable.
  func prepare(maxBytes: Int64?) throws(StoreError) {
    let isNew = try number("PRAGMA page_count") == 0
    if isNew {
      // Only a file without tables accepts these.
      try run("PRAGMA page_size = 4096")
      try run("PRAGMA auto_vacuum = INCREMENTAL")
    }
    // If the log isn't possible, as on a network file system, SQLite keeps its former mode and
    // reports no error.
    let mode = try first("PRAGMA journal_mode = WAL") { $0.text(0) }
    guard mode == "wal" else {
      throw StoreError(
        .unusable, "The database can't keep a log of recent changes (WAL) where it lies.",
        cause: "the journal mode is \(mode ?? "unknown"); is it a network file system?")
    }
    // The writer makes the checkpoints itself, because SQLite's automatic checkpoints ignore errors
    // such as a failed sync.
    try run("PRAGMA wal_autocheckpoint = 0")
    // GRDB's pool sets NORMAL, and the SQLite of a system may have it as its default. With NORMAL,
    // a power failure loses commits.
    try run("PRAGMA synchronous = FULL")
    try run("PRAGMA foreign_keys = ON")
    // The log grows during a long read, and SQLite reuses it without truncating it. This truncates
    // it to 64 MB when it restarts.
    try run("PRAGMA journal_size_limit = 67108864")
    // SQLite ignores pragmas that it doesn't support, so the values are read again.
    guard try number("PRAGMA synchronous") == 2, try number("PRAGMA foreign_keys") == 1 else {
      throw StoreError(
        .unusable, "The database can't make each commit durable (synchronous=FULL).",
        cause: "Is this program linked with SQLite of the system?")
    }
    try limit(bytes: maxBytes)
  }

  /// The limit of SQLite itself (`SQLITE_MAX_PAGE_COUNT` of 3.40).
  private static let maxPages: Int64 = 1_073_741_823

  /// Limits the size of the file; `nil` for no limit. A larger file doesn't grow any further.
  func limit(bytes: Int64?) throws(StoreError) {
    let size = max(1, try number("PRAGMA page_size"))
    // 0 would keep the current limit.
    let pages = bytes.map { min(max(1, $0 / size), Self.maxPages) }
    try set(.largestPageCount, pages ?? Self.maxPages)
  }

  /// Returns the bytes that the file can still store within its limit, including its free pages.
  func bytesLeft() throws(StoreError) -> Int64 {
    let pages = try number("PRAGMA max_page_count") &- number("PRAGMA page_count")
    let free = try number("PRAGMA freelist_count")
    let size = try number("PRAGMA page_size")
    // If the file is larger than a new limit, the difference is negative.
    return max(0, pages &+ free).multipliedReportingOverflow(by: size).partialValue
  }

  /// Returns the first column of the first row, or 0 if there is no row or it is NULL.
  func number(_ sql: StaticString) throws(StoreError) -> Int64 {
    try first(sql) { $0.integer(0) } ?? 0
  }

  /// Checks the file.
  /// - Parameter isQuick: whether the comparison of indexes with their tables is omitted.
  /// - Throws: `corrupt` if the content is inconsistent, `fault` if the file can't be read.
  func check(isQuick: Bool) throws(StoreError) {
    var findings: [String] = []
    // All findings are read. The first may look like damage although a later one reports a disk
    // error.
    try each(isQuick ? "PRAGMA quick_check(100)" : "PRAGMA integrity_check(100)") {
      row throws(StoreError) in
      if row.text(0) != "ok" { findings.append(row.text(0)) }
    }
    if let text = findings.first(where: SQLiteFinding.isUnreadable) {
      throw SQLiteFinding.unreadable(text)
    }
    guard let first = findings.first else { return }
    throw StoreError(
      .corrupt, "The data read from the database is inconsistent.", cause: first)
  }

  /// Returns the problems of the file as at most a hundred sentences and the error that ended the
  /// check.
  /// - Throws: `fault` if the file can't be read.
  func problems() throws(StoreError) -> [String] {
    var problems: [String] = []
    do throws(StoreError) {
      try each("PRAGMA integrity_check(100)") { row throws(StoreError) in
        if row.text(0) != "ok" { problems.append(row.text(0)) }
      }
      try each("PRAGMA foreign_key_check") { row throws(StoreError) in
        guard problems.count < SQLiteExamination.longestReport else { return }
        problems.append("A row of \(row.text(0)) names one of \(row.text(2)) that isn't there.")
      }
    } catch  where error.code == .corrupt {
      // The damage prevents SQLite from checking further.
      problems.append(error.description)
    }
    if let text = problems.first(where: SQLiteFinding.isUnreadable) {
      throw SQLiteFinding.unreadable(text)
    }
    return problems
  }
}
