internal import GRDBSQLite

/// An open connection with its prepared statements.
///
/// Used by one thread at a time, within an access of GRDB to the connection.
final class SQLiteSession {
  let handle: OpaquePointer
  /// The latest error caused by the file or its disk, even if a body has ignored it. The group
  /// resets it.
  var fault: StoreError?
  private var statements: [UnsafePointer<UInt8>: SQLiteStatement] = [:]

  init(_ handle: OpaquePointer) { self.handle = handle }

  /// Returns a statement, which is prepared once and cached.
  func statement(_ sql: StaticString) throws(StoreError) -> SQLiteStatement {
    // The key is the address of the text. A `StaticString` is never moved or freed, and comparing
    // addresses is cheaper than comparing texts.
    if let found = statements[sql.utf8Start] { return found }
    let statement = try SQLiteStatement(self, sql)
    statements[sql.utf8Start] = statement
    return statement
  }

  /// Runs a statement and ignores its rows.
  func run(_ sql: StaticString, _ values: SQLiteValue...) throws(StoreError) {
    let statement = try statement(sql)
    // A statement that isn't reset keeps its transaction open.
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Calls `row` with each row of a statement.
  func each(
    _ sql: StaticString, _ values: SQLiteValue...,
    row: (SQLiteStatement) throws(StoreError) -> Void
  ) throws(StoreError) {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() { try row(statement) }
  }

  /// Returns the value for the first row of a statement, or `nil` if there is none.
  func first<Value>(
    _ sql: StaticString, _ values: SQLiteValue..., row: (SQLiteStatement) -> Value
  ) throws(StoreError) -> Value? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? row(statement) : nil
  }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }
  /// The number of rows changed since the connection was opened.
  var totalChanges: Int64 { sqlite3_total_changes64(handle) }
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Returns the error of the last call on the connection.
  func error(_ code: Int32) -> StoreError {
    let text = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "no message"
    let error = StoreError(sqlite: sqlite3_extended_errcode(handle), text)
    if error.concernsFile { fault = error }
    return error
  }

  /// Finalizes all statements. It must be called before the connection is closed, because otherwise
  /// closing fails.
  func finalize() { statements = [:] }
}
