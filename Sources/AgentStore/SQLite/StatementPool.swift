/// Statements of one text that may be stepped at the same time, prepared once and used again.
///
/// Rationale: a read in the order of time has a statement a type. Preparing a thousand of them takes
/// longer than reading a page.
struct StatementPool {
  /// How many are kept while none is needed: about 5 MB.
  private static let maxIdle = 1_024

  private let sql: StaticString
  private var idle: [SQLiteStatement] = []

  init(_ sql: StaticString) {
    self.sql = sql
  }

  /// One that nobody else uses, until it is given back.
  mutating func take(_ session: SQLiteSession) throws(StoreError) -> SQLiteStatement {
    if let statement = idle.popLast() { return statement }
    return try SQLiteStatement(session, sql)
  }

  /// Ends its run, and keeps it for the next.
  mutating func give(back statement: SQLiteStatement) {
    statement.reset()
    if idle.count < Self.maxIdle { idle.append(statement) }
  }
}

/// The statements of reads in the order of time.
struct TimeStatements {
  /// Which of them.
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
