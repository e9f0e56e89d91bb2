internal import GRDBSQLite

/// Reads a whole file over a connection of its own, and tells damage from a disk that can't be
/// read. Blocks the calling thread, a minute for some gigabytes.
struct SQLiteExamination {
  let path: String

  /// The most sentences that SQLite gives; the pragmas say the same number.
  static let longestReport = 100

  /// Reads the file once.
  /// - Parameter isQuick: leaves out whether indexes agree with their tables.
  /// - Throws: `corrupt` when what was read doesn't fit together, `fault` when it can't be read.
  func run(isQuick: Bool) throws(StoreError) {
    let connection = try SQLiteConnection(path: path, isReader: true)
    try connection.use { session throws(StoreError) in try session.check(isQuick: isQuick) }
    try connection.close()
  }

  /// What is wrong with the file, in SQLite's words: only what a second reading finds as well.
  /// - Throws: `fault` when it can't be read.
  func problems() throws(StoreError) -> [String] {
    // A disk that fails for a moment isn't a damaged file.
    if try problemsOfOneReading().isEmpty { return [] }
    return try problemsOfOneReading()
  }

  private func problemsOfOneReading() throws(StoreError) -> [String] {
    let connection = try SQLiteConnection(path: path, isReader: true)
    let problems = try connection.use { session throws(StoreError) in try session.problems() }
    try connection.close()
    return problems
  }
}

/// Tells the sentences of SQLite's checks apart.
enum SQLiteFinding {
  /// Whether it says that a page couldn't be read, rather than that the page is wrong.
  ///
  /// Rationale: `integrity_check` and `quick_check` don't fail when a read does; they put it into
  /// their report, as `unable to get the page. error code=266` or `failed to get page 7`.
  static func isUnreadable(_ text: String) -> Bool {
    if text.contains("failed to get page") { return true }
    let words = text.split { $0 == " " || $0 == "=" || $0 == "\n" }
    guard let word = words.drop(while: { $0 != "code" }).dropFirst().first,
      let code = Int32(word.prefix { $0.isNumber })
    else { return false }
    // These two codes say that the page was read and is wrong.
    return code & 0xff != SQLITE_CORRUPT && code & 0xff != SQLITE_NOTADB
  }

  static func unreadable(_ text: String) -> StoreError {
    StoreError(
      .fault, "Parts of the database can't be read. Check the disk and the system's log.",
      cause: text)
  }
}
