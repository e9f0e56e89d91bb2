internal import GRDBSQLite

/// Settings that SQLite accepts only in the text of a statement. Only here, a text is composed,
/// from constant words and a number.
enum SQLitePragma: String {
  case applicationID = "PRAGMA application_id = "
  case userVersion = "PRAGMA user_version = "
  case largestPageCount = "PRAGMA max_page_count = "
  case incrementalVacuum = "PRAGMA incremental_vacuum = "
}

extension SQLiteSession {
  func set(_ pragma: SQLitePragma, _ value: Int64) throws(StoreError) {
    let code = sqlite3_exec(handle, pragma.rawValue + String(value), nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }
}
