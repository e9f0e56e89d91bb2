/// Reads and writes alerts on one connection.
final class SQLiteAlerts: AlertStorage {
  let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func alert(_ id: Int64) throws(StoreError) -> AlertRow? {
    try session.first("SELECT * FROM alerts WHERE id = ?", .integer(id), row: Self.row)
  }

  func current(rule: String, key: String) throws(StoreError) -> AlertRow? {
    try session.first(
      "SELECT * FROM alerts WHERE rule = ? AND key = ? AND closed IS NULL", .text(rule),
      .text(key), row: Self.row)
  }

  func current(rule: String, topic: String) throws(StoreError) -> [AlertRow] {
    var rows: [AlertRow] = []
    try session.each(
      "SELECT * FROM alerts WHERE rule = ? AND topic = ? AND closed IS NULL ORDER BY id",
      .text(rule), .text(topic)
    ) { row throws(StoreError) in rows.append(Self.row(row)) }
    return rows
  }

  func countCurrent(rule: String, most: Int) throws(StoreError) -> Int {
    // The inner LIMIT bounds the count, because the caller only checks whether the limit is
    // reached.
    try session.first(
      """
      SELECT count(*) FROM
        (SELECT 1 FROM alerts WHERE rule = ? AND closed IS NULL LIMIT ?)
      """, .text(rule), .integer(Int64(most))
    ) { Int($0.integer(0)) } ?? 0
  }

  func alerts(_ selection: AlertSelection) throws(StoreError) -> [AlertRow] {
    var rows: [AlertRow] = []
    try session.each(
      """
      SELECT * FROM alerts
      WHERE id < ?1 AND (?2 IS NULL OR state = ?2) AND (?3 IS NULL OR severity = ?3)
        AND (?4 IS NULL OR rule = ?4) AND (?5 = 0 OR closed IS NULL)
      ORDER BY id DESC LIMIT ?6
      """,
      .integer(selection.before ?? .max), .optional(selection.state?.rawValue),
      .optional(selection.severity), .optional(selection.rule),
      .integer(selection.isCurrent ? 1 : 0), .integer(Int64(max(0, selection.limit)))
    ) { row throws(StoreError) in rows.append(Self.row(row)) }
    return rows
  }

  func history(_ alert: Int64) throws(StoreError) -> [AlertStep] {
    var steps: [AlertStep] = []
    try session.each(
      "SELECT timestamp, what, actor, note FROM alert_steps WHERE alert = ? ORDER BY id",
      .integer(alert)
    ) { row throws(StoreError) in
      steps.append(
        AlertStep(
          alert: alert, timestamp: row.integer(0), what: row.text(1), actor: row.text(2),
          note: row.text(3)))
    }
    return steps
  }

  func alertCounts() throws(StoreError) -> [AlertRow.State: Int] {
    var counts: [AlertRow.State: Int] = [:]
    // Triggers update the counts, so that the alerts needn't be counted.
    try session.each("SELECT state, count FROM alert_counts WHERE count > 0") {
      row throws(StoreError) in
      if let state = AlertRow.State(rawValue: row.text(0)) { counts[state] = Int(row.integer(1)) }
    }
    return counts
  }

  func nextDue() throws(StoreError) -> Int64? {
    // Without the condition, SQLite can't use `alerts_due`, which contains only rows with a due
    // time.
    try session.first("SELECT min(due) FROM alerts WHERE due IS NOT NULL") {
      $0.isNull(0) ? nil : $0.integer(0)
    } ?? nil
  }

  func due(by moment: Int64, limit: Int) throws(StoreError) -> [AlertRow] {
    var rows: [AlertRow] = []
    try session.each(
      "SELECT * FROM alerts WHERE due <= ? ORDER BY due, id LIMIT ?", .integer(moment),
      .integer(Int64(limit))
    ) { row throws(StoreError) in rows.append(Self.row(row)) }
    return rows
  }

  func insert(_ alert: AlertRow) throws(StoreError) -> Int64 {
    // The unique index refuses a second unresolved alert with the same rule and key. Then RETURNING
    // returns no row.
    let id = try session.first(
      """
      INSERT INTO alerts (rule, key, topic, state, severity, title, text, count, event, opened,
        updated, notified, pending, due, closed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING RETURNING id
      """,
      .text(alert.rule), .text(alert.key), .text(alert.topic), .text(alert.state.rawValue),
      .text(alert.severity), .text(alert.title), .text(alert.text), .integer(alert.count),
      .blob(alert.event), .integer(alert.opened), .integer(alert.updated),
      .optional(alert.notified), .optional(alert.pending), .optional(alert.due),
      .optional(alert.closed)
    ) { $0.integer(0) }
    guard let id else {
      throw StoreError(.conflict, "The rule \(alert.rule) has an alert with this key already.")
    }
    return id
  }

  func update(_ alert: AlertRow) throws(StoreError) {
    try session.run(
      """
      UPDATE alerts SET state = ?2, severity = ?3, title = ?4, text = ?5, count = ?6, event = ?7,
        updated = ?8, notified = ?9, pending = ?10, due = ?11, closed = ?12
      WHERE id = ?1
      """,
      .integer(alert.id), .text(alert.state.rawValue), .text(alert.severity), .text(alert.title),
      .text(alert.text), .integer(alert.count), .blob(alert.event), .integer(alert.updated),
      .optional(alert.notified), .optional(alert.pending), .optional(alert.due),
      .optional(alert.closed))
    guard session.changes == 1 else {
      throw StoreError(.missing, "There is no alert \(alert.id).")
    }
  }

  func hasten(at moment: Int64) throws(StoreError) {
    // Due times that were computed from a time before `moment` are still right.
    try session.run(
      """
      UPDATE alerts SET due = ?1
      WHERE due IS NOT NULL AND due > ?1 AND max(updated, coalesce(notified, updated)) > ?1
      """, .integer(moment))
  }

  func append(_ step: AlertStep) throws(StoreError) {
    try session.run(
      "INSERT INTO alert_steps (alert, timestamp, what, actor, note) VALUES (?, ?, ?, ?, ?)",
      .integer(step.alert), .integer(step.timestamp), .text(step.what), .text(step.actor),
      .text(step.note))
  }

  /// Removes the history first, while its alerts can still be selected. The newest alert is kept,
  /// because otherwise SQLite would reuse its number.
  func remove(closedBefore moment: Int64, limit: Int) throws(StoreError) -> Int {
    try session.run(
      """
      DELETE FROM alert_steps WHERE alert IN
        (SELECT id FROM alerts
         WHERE closed < ?1 AND id < (SELECT max(id) FROM alerts) ORDER BY closed, id LIMIT ?2)
      """, .integer(moment), .integer(Int64(limit)))
    try session.run(
      """
      DELETE FROM alerts WHERE id IN
        (SELECT id FROM alerts
         WHERE closed < ?1 AND id < (SELECT max(id) FROM alerts) ORDER BY closed, id LIMIT ?2)
      """, .integer(moment), .integer(Int64(limit)))
    return session.changes
  }

  /// Keeps the newest alert, as above.
  func remove(closedBeyond most: Int, limit: Int) throws(StoreError) -> Int {
    try session.run(
      """
      DELETE FROM alert_steps WHERE alert IN
        (SELECT id FROM alerts
         WHERE closed IS NOT NULL AND id < (SELECT max(id) FROM alerts)
         ORDER BY closed DESC, id DESC LIMIT ?2 OFFSET ?1)
      """, .integer(Int64(max(0, most))), .integer(Int64(limit)))
    try session.run(
      """
      DELETE FROM alerts WHERE id IN
        (SELECT id FROM alerts
         WHERE closed IS NOT NULL AND id < (SELECT max(id) FROM alerts)
         ORDER BY closed DESC, id DESC LIMIT ?2 OFFSET ?1)
      """, .integer(Int64(max(0, most))), .integer(Int64(limit)))
    return session.changes
  }

  private static func row(_ row: SQLiteStatement) -> AlertRow {
    // Columns are read by index (`SELECT *`), so migrations may add columns only at the end.
    AlertRow(
      id: row.integer(0), rule: row.text(1), key: row.text(2), topic: row.text(3),
      state: AlertRow.State(rawValue: row.text(4)) ?? .resolved, severity: row.text(5),
      title: row.text(6), text: row.text(7), count: row.integer(8), event: row.blob(9),
      opened: row.integer(10), updated: row.integer(11), notified: row.optionalInteger(12),
      pending: row.isNull(13) ? nil : row.text(13), due: row.optionalInteger(14),
      closed: row.optionalInteger(15))
  }
}
