/// Statements of one text that may be stepped at the same time. They are prepared once and used
/// again.
///
/// Rationale: a read in the order of time has a statement a type. Preparing a thousand of them
/// takes longer than reading a page.
struct StatementPool {
  /// How many idle statements are kept: about 5 MB.
  private static let maxIdle = 1_024

  private let sql: StaticString
  private var idle: [SQLiteStatement] = []

  init(_ sql: StaticString) {
    self.sql = sql
  }

  /// A statement that nobody else uses until the caller returns it.
  mutating func take(_ session: SQLiteSession) throws(StoreError) -> SQLiteStatement {
    if let statement = idle.popLast() { return statement }
    return try SQLiteStatement(session, sql)
  }

  /// Resets a statement, so that it holds no transaction open, and keeps it for the next use.
  mutating func give(back statement: SQLiteStatement) {
    statement.reset()
    if idle.count < Self.maxIdle { idle.append(statement) }
  }
}

/// The statements of reads in the order of time: a pool for each direction and way to begin.
struct TimeStatements {
  /// What a statement reads: a span of time, or the rest of a millisecond behind a position.
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
