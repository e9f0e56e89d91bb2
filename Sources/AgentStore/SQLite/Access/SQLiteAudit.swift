internal import AgentSystem

/// Reads and writes the audit log on one connection.
final class SQLiteAudit: AuditStorage {
  private let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func last() throws(StoreError) -> AuditRow? {
    try page(AuditSelection(), limit: 1).rows.first
  }

  func first() throws(StoreError) -> AuditRow? {
    // The condition matches every line. With it, SQLite searches by the number. Without it, the
    // plan is a scan, which `QueryPlanTests` refuses for tables that grow.
    var first: AuditRow?
    try session.each(
      """
      SELECT number, timestamp, actor, address, action, target, outcome, detail, hash
      FROM audit WHERE number >= ? ORDER BY number LIMIT 1
      """, .integer(.min)
    ) { row throws(StoreError) in first = Self.row(row) }
    return first
  }

  func cut() throws(StoreError) -> AuditCut? {
    var cut: AuditCut?
    try session.each("SELECT number, hash FROM audit_cut") { row throws(StoreError) in
      cut = AuditCut(number: row.integer(0), hash: row.blob(1))
    }
    return cut
  }

  func bytes(after number: Int64, through last: Int64) throws(StoreError) -> Int64 {
    // `length` returns characters for a text and bytes for a blob.
    var bytes: Int64 = 0
    try session.each(
      """
      SELECT coalesce(sum(length(CAST(actor AS BLOB)) + length(CAST(address AS BLOB))
        + length(CAST(action AS BLOB)) + length(CAST(target AS BLOB))
        + length(CAST(outcome AS BLOB)) + length(detail) + length(hash) + ?1), 0)
      FROM audit WHERE number > ?2 AND number <= ?3
      """, .integer(Int64(AuditRow.overhead)), .integer(number), .integer(last)
    ) { row throws(StoreError) in bytes = row.integer(0) }
    return bytes
  }

  func cut(through cut: AuditCut) throws(StoreError) {
    // Triggers of the database enforce this too. The check here has a message for people.
    guard cut.number > (try self.cut()?.number ?? 0) else {
      throw StoreError(.conflict, "The audit log's lines up to \(cut.number) were removed already.")
    }
    try session.run(
      """
      INSERT INTO audit_cut (id, number, hash) VALUES (1, ?, ?)
      ON CONFLICT (id) DO UPDATE SET number = excluded.number, hash = excluded.hash
      """, .integer(cut.number), .blob(cut.hash))
  }

  func removeCut(limit: Int) throws(StoreError) -> Int {
    try session.run(
      """
      DELETE FROM audit WHERE number IN (
        SELECT number FROM audit WHERE number <= (SELECT number FROM audit_cut)
        ORDER BY number LIMIT ?)
      """, .integer(Int64(max(0, limit))))
    return session.changes
  }

  func entries(after number: Int64, limit: Int) throws(StoreError) -> [AuditRow] {
    var rows: [AuditRow] = []
    try session.each(
      """
      SELECT number, timestamp, actor, address, action, target, outcome, detail, hash
      FROM audit WHERE number > ? ORDER BY number LIMIT ?
      """, .integer(number), .integer(Int64(max(0, limit)))
    ) { row throws(StoreError) in rows.append(Self.row(row)) }
    return rows
  }

  func page(_ selection: AuditSelection, limit: Int) throws(StoreError) -> AuditPage {
    let statement = try session.statement(Self.newest)
    defer { statement.reset() }
    try statement.bind([
      .integer(selection.before), .integer(selection.since), Self.value(selection.actor),
      Self.value(selection.action), Self.value(selection.target), Self.value(selection.outcome),
      .integer(selection.until),
    ])
    // A line that was cut off and isn't removed yet belongs to the log no more. The chain doesn't
    // cover the oldest of these, so anybody with the file could write it.
    let cut = try cut()?.number
    var page = AuditPage(rows: [], before: nil)
    var looked = 0
    while page.rows.count < max(0, limit), looked < selection.look {
      guard try statement.step(), cut.map({ statement.integer(0) > $0 }) ?? true else {
        return AuditPage(rows: page.rows, before: nil)
      }
      looked += 1
      page.before = statement.integer(0)
      // Column 9 of a line shows whether it matches. The statement returns all lines, so that the
      // examined ones can be counted.
      if statement.integer(9) != 0 { page.rows.append(Self.row(statement)) }
    }
    return page
  }

  private static let newest: StaticString = """
    SELECT number, timestamp, actor, address, action, target, outcome, detail, hash,
      timestamp >= ?2 AND (?3 IS NULL OR actor = ?3)
        AND (?4 IS NULL OR action = ?4) AND (?5 IS NULL OR target = ?5)
        AND (?6 IS NULL OR outcome = ?6) AND timestamp < ?7
    FROM audit WHERE number < ?1 ORDER BY number DESC
    """

  private static func value(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }

  func append(_ entry: AuditRow) throws(StoreError) {
    // The hash of a line contains that of the line before. A line with another number would break
    // the chain.
    let next = (try last()?.number ?? 0).adding(1)
    guard entry.number == next else {
      throw StoreError(
        .conflict, "The next line of the audit log is \(next), not \(entry.number).")
    }
    try session.run(
      """
      INSERT INTO audit
        (number, timestamp, actor, address, action, target, outcome, detail, hash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(entry.number), .integer(entry.timestamp), .text(entry.actor),
      .text(entry.address), .text(entry.action), .text(entry.target), .text(entry.outcome),
      .blob(entry.detail), .blob(entry.hash))
  }

  private static func row(_ row: SQLiteStatement) -> AuditRow {
    AuditRow(
      number: row.integer(0), timestamp: row.integer(1), actor: row.text(2),
      address: row.text(3), action: row.text(4), target: row.text(5), outcome: row.text(6),
      detail: row.blob(7), hash: row.blob(8))
  }
}
