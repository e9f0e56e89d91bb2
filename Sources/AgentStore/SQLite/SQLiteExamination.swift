internal import GRDBSQLite

/// Reads a whole file over its own connection, and distinguishes damage from a disk that can't be
/// read. Blocks the calling thread, about a minute for some gigabytes. The file was opened before.
struct SQLiteExamination {
  let path: String

  /// The largest number of problems that SQLite reports. The pragmas have the same limit.
  static let longestReport = 100

  /// Reads the file once.
  /// - Parameter isQuick: whether the comparison of indexes with their tables is omitted.
  /// - Throws: `corrupt` if the content is inconsistent, `fault` if it can't be read.
  func run(isQuick: Bool) throws(StoreError) {
    let connection = try SQLiteConnection(path: path, isReader: true, isReopening: true)
    try connection.use { session throws(StoreError) in try session.check(isQuick: isQuick) }
    try connection.close()
  }

  /// Returns the problems of the file in SQLite's words. A problem counts only if a second reading
  /// finds problems too.
  /// - Throws: `fault` if the file can't be read.
  func problems() throws(StoreError) -> [String] {
    // A temporary read error of a disk must not be reported as damage.
    if try problemsOfOneReading().isEmpty { return [] }
    return try problemsOfOneReading()
  }

  private func problemsOfOneReading() throws(StoreError) -> [String] {
    let connection = try SQLiteConnection(path: path, isReader: true, isReopening: true)
    let problems = try connection.use { session throws(StoreError) in try session.problems() }
    try connection.close()
    return problems
  }
}

/// Classifies the messages of SQLite's checks.
enum SQLiteFinding {
  /// Returns whether the message reports a page that couldn't be read, in contrast to a damaged
  /// page.
  ///
  /// Rationale: `integrity_check` and `quick_check` don't fail if a read fails. They report it as
  /// `unable to get the page. error code=266` or `failed to get page 7`.
  static func isUnreadable(_ text: String) -> Bool {
    if text.contains("failed to get page") { return true }
    let words = text.split { $0 == " " || $0 == "=" || $0 == "\n" }
    guard let word = words.drop(while: { $0 != "code" }).dropFirst().first,
      let code = Int32(word.prefix { $0.isNumber })
    else { return false }
    // These two codes mean that the page was read and is damaged.
    return code & 0xff != SQLITE_CORRUPT && code & 0xff != SQLITE_NOTADB
  }

  static func unreadable(_ text: String) -> StoreError {
    StoreError(
      .fault, "Parts of the database can't be read. Check the disk and the system's log.",
      cause: text)
  }
}
