internal import GRDBSQLite

extension SQLiteSession {
  /// Sets what a connection that writes relies on, and checks that it is so.
  /// - Parameter maxBytes: the largest size of the file; nil for no limit.
  /// - Throws: `unusable` where the file lies on a disk that can't keep the log of recent changes,
  ///   or where SQLite doesn't make each commit durable.
  func prepare(maxBytes: Int64?) throws(StoreError) {
    let isNew = try number("PRAGMA page_count") == 0
    if isNew {
      // Only a file without tables takes these.
      try run("PRAGMA page_size = 4096")
      try run("PRAGMA auto_vacuum = INCREMENTAL")
    }
    // Where it can't have the log, as on a network file system, SQLite stays in its former mode and
    // reports no error.
    let mode = try first("PRAGMA journal_mode = WAL") { $0.text(0) }
    guard mode == "wal" else {
      throw StoreError(
        .unusable, "The database can't keep a log of recent changes (WAL) where it lies.",
        cause: "the journal mode is \(mode ?? "unknown"); is it a network file system?")
    }
    // The writer makes checkpoints itself. SQLite's automatic ones swallow their errors, a failed
    // sync among them.
    try run("PRAGMA wal_autocheckpoint = 0")
    // GRDB's pool sets NORMAL, and a system's SQLite may have it as its default. With NORMAL a
    // power cut loses commits.
    try run("PRAGMA synchronous = FULL")
    try run("PRAGMA foreign_keys = ON")
    // A long read lets the log of recent changes grow, and SQLite reuses it without making it
    // smaller. This cuts it to 64 MB when it starts anew.
    try run("PRAGMA journal_size_limit = 67108864")
    // SQLite ignores a pragma that it doesn't support.
    guard try number("PRAGMA synchronous") == 2, try number("PRAGMA foreign_keys") == 1 else {
      throw StoreError(
        .unusable, "The database can't make each commit durable (synchronous=FULL).",
        cause: "Is this program linked with SQLite of the system?")
    }
    try limit(bytes: maxBytes)
  }

  /// SQLite's own limit (`SQLITE_MAX_PAGE_COUNT` of 3.40), where there is no other.
  private static let maxPages: Int64 = 1_073_741_823

  /// Limits the size of the file; nil for no limit. A larger file grows no further.
  func limit(bytes: Int64?) throws(StoreError) {
    let size = max(1, try number("PRAGMA page_size"))
    // 0 would leave the limit as it is.
    let pages = bytes.map { min(max(1, $0 / size), Self.maxPages) }
    try set(.largestPageCount, pages ?? Self.maxPages)
  }

  /// How many bytes the file can still take before its own limit, gaps within it included.
  func bytesLeft() throws(StoreError) -> Int64 {
    let pages = try number("PRAGMA max_page_count") &- number("PRAGMA page_count")
    let free = try number("PRAGMA freelist_count")
    let size = try number("PRAGMA page_size")
    // A file that was larger than a new limit has fewer than no pages left.
    return max(0, pages &+ free).multipliedReportingOverflow(by: size).partialValue
  }

  func number(_ sql: StaticString) throws(StoreError) -> Int64 {
    try first(sql) { $0.integer(0) } ?? 0
  }

  /// Fails with `corrupt` when what is read of the file doesn't fit together, and with `fault` when
  /// it can't be read.
  /// - Parameter isQuick: leaves out whether indexes agree with their tables.
  func check(isQuick: Bool) throws(StoreError) {
    var findings: [String] = []
    // All are read: the first one may look like damage when a later one says that the disk fails.
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

  /// What is wrong with the file, in up to a hundred sentences.
  /// - Throws: `fault` when it can't be read.
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
      // The damage keeps SQLite from looking further.
      problems.append(error.description)
    }
    if let text = problems.first(where: SQLiteFinding.isUnreadable) {
      throw SQLiteFinding.unreadable(text)
    }
    return problems
  }
}
