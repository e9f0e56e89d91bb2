internal import GRDBSQLite

/// An open connection as statements see it: its handle, and the statements prepared on it.
///
/// Used by one thread at a time, within an access of GRDB to the connection.
final class SQLiteSession {
  let handle: OpaquePointer
  /// The latest error for which the file or its disk is to blame, also when a body has swallowed
  /// it. The group resets it.
  var fault: StoreError?
  private var statements: [UnsafePointer<UInt8>: SQLiteStatement] = [:]

  init(_ handle: OpaquePointer) { self.handle = handle }

  /// A statement that is prepared once and kept.
  func statement(_ sql: StaticString) throws(StoreError) -> SQLiteStatement {
    // By the address of its text: a `StaticString` is never moved or freed, and comparing addresses
    // costs less than comparing texts.
    if let found = statements[sql.utf8Start] { return found }
    let statement = try SQLiteStatement(self, sql)
    statements[sql.utf8Start] = statement
    return statement
  }

  /// Runs a statement whose rows, if any, don't matter.
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

  /// The first row of a statement, or nil.
  func first<Value>(
    _ sql: StaticString, _ values: SQLiteValue..., row: (SQLiteStatement) -> Value
  ) throws(StoreError) -> Value? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? row(statement) : nil
  }

  /// Rows that the last statement has changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }
  /// Rows changed since the connection was opened.
  var totalChanges: Int64 { sqlite3_total_changes64(handle) }
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// What the last call on the connection failed with.
  func error(_ code: Int32) -> StoreError {
    let text = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "no message"
    let error = StoreError(sqlite: sqlite3_extended_errcode(handle), text)
    if error.concernsFile { fault = error }
    return error
  }

  /// Ends all statements. Must be called before the connection is closed, which fails otherwise.
  func finalize() { statements = [:] }
}
