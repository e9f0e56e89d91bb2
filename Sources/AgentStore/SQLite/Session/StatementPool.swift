/// Statements with the same text that may run at the same time. They are prepared once and reused.
///
/// Rationale: a read in the order of time needs a statement for each type. Preparing a thousand of
/// them takes longer than reading a page.
struct StatementPool {
  /// The largest number of idle statements: about 5 MB.
  private static let maxIdle = 1_024

  private let sql: StaticString
  private var idle: [SQLiteStatement] = []

  init(_ sql: StaticString) {
    self.sql = sql
  }

  /// Returns a statement that is used only by the caller until it returns the statement.
  mutating func take(_ session: SQLiteSession) throws(StoreError) -> SQLiteStatement {
    if let statement = idle.popLast() { return statement }
    return try SQLiteStatement(session, sql)
  }

  /// Resets a statement, so that it keeps no transaction open, and stores it for the next use.
  mutating func give(back statement: SQLiteStatement) {
    statement.reset()
    if idle.count < Self.maxIdle { idle.append(statement) }
  }
}

/// The statements of reads in the order of time: a pool for each direction and start.
struct TimeStatements {
  /// The rows that a statement reads: a range of time, or the rest of a millisecond after a
  /// position.
  enum Kind: Hashable {
    case forwards, backwards, restForwards, restBackwards
  }

  private var pools: [Kind: StatementPool] = [
    .forwards: StatementPool(
      """
      SELECT position, timestamp, source, body FROM events
      WHERE type = ? AND timestamp BETWEEN ? AND ? ORDER BY timestamp, position
      """),
    .backwards: StatementPool(
      """
      SELECT position, timestamp, source, body FROM events
      WHERE type = ? AND timestamp BETWEEN ? AND ? ORDER BY timestamp DESC, position DESC
      """),
    .restForwards: StatementPool(
      """
      SELECT position, timestamp, source, body FROM events
      WHERE type = ? AND timestamp = ? AND position > ? ORDER BY position
      """),
    .restBackwards: StatementPool(
      """
      SELECT position, timestamp, source, body FROM events
      WHERE type = ? AND timestamp = ? AND position < ? ORDER BY position DESC
      """),
  ]

  mutating func take(_ kind: Kind, _ session: SQLiteSession) throws(StoreError) -> SQLiteStatement {
    guard let statement = try pools[kind]?.take(session) else {
      throw StoreError(.invalid, "There is no such statement.")
    }
    return statement
  }

  mutating func give(back statement: SQLiteStatement, _ kind: Kind) {
    pools[kind]?.give(back: statement)
  }
}
