/// Reads and writes deliveries on one connection.
final class SQLiteDeliveries: DeliveryStorage {
  private let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func delivery(_ id: Int64) throws(StoreError) -> DeliveryRow? {
    try session.first("SELECT * FROM deliveries WHERE id = ?", .integer(id), row: Self.row)
  }

  func deliveries(_ selection: DeliverySelection) throws(StoreError) -> [DeliveryRow] {
    let statement = try session.statement(selection.alert == nil ? Self.ofAll : Self.ofAlert)
    defer { statement.reset() }
    try statement.bind([
      .integer(selection.before ?? .max), .optional(selection.alert),
      .optional(selection.state?.rawValue), .optional(selection.notifier),
      .integer(Int64(max(0, selection.limit))),
    ])
    var rows: [DeliveryRow] = []
    while try statement.step() { rows.append(Self.row(statement)) }
    return rows
  }

  /// The statement for one alert. It uses the index of alerts, in which an alert has few rows.
  private static let ofAlert: StaticString = """
    SELECT * FROM deliveries
    WHERE id < ?1 AND alert = ?2 AND (?3 IS NULL OR state = ?3) AND (?4 IS NULL OR notifier = ?4)
    ORDER BY id DESC LIMIT ?5
    """

  /// The statement without an alert. The primary key gives the order.
  private static let ofAll: StaticString = """
    SELECT * FROM deliveries
    WHERE id < ?1 AND ?2 IS NULL AND (?3 IS NULL OR state = ?3) AND (?4 IS NULL OR notifier = ?4)
    ORDER BY id DESC LIMIT ?5
    """

  func deliveryCounts() throws(StoreError) -> [DeliveryCount] {
    // Triggers update the counts, so that the deliveries needn't be scanned.
    var counts: [DeliveryCount] = []
    try session.each(
      "SELECT notifier, state, count FROM delivery_counts WHERE count > 0 ORDER BY 1, 2"
    ) { row throws(StoreError) in
      guard let state = DeliveryRow.State(rawValue: row.text(1)) else { return }
      counts.append(
        DeliveryCount(notifier: row.text(0), state: state, count: Int(row.integer(2))))
    }
    return counts
  }

  func nextDelivery(without: Set<String>) throws(StoreError) -> Int64? {
    var next: Int64?
    for notifier in try waitingNotifiers() where !without.contains(notifier) {
      if let moment = try earliest(notifier) { next = min(next ?? .max, moment) }
    }
    return next
  }

  func notifiersDue(by moment: Int64) throws(StoreError) -> [String] {
    var names: [String] = []
    for notifier in try waitingNotifiers() {
      if let earliest = try earliest(notifier), earliest <= moment { names.append(notifier) }
    }
    return names
  }

  /// Returns the notifiers with waiting deliveries. Triggers update the counts, so that the
  /// deliveries needn't be scanned.
  private func waitingNotifiers() throws(StoreError) -> [String] {
    var names: [String] = []
    try session.each(
      """
      SELECT DISTINCT notifier FROM delivery_counts
      WHERE state IN ('queued', 'failed') AND count > 0 ORDER BY notifier
      """
    ) { row throws(StoreError) in names.append(row.text(0)) }
    return names
  }

  /// Returns the earliest time at which a delivery to a notifier is due. The index is ordered by
  /// time, so the search ends at the first delivery that may be sent. Notices that wait for a
  /// former notice of the same alert are ignored, because the caller couldn't send them at their
  /// time.
  private func earliest(_ notifier: String) throws(StoreError) -> Int64? {
    try session.first(
      """
      SELECT next FROM deliveries AS d
      WHERE state IN ('queued', 'failed') AND notifier = ?
        AND NOT EXISTS (
          SELECT 1 FROM deliveries AS e
          WHERE e.alert = d.alert AND e.notifier = d.notifier AND e.id < d.id
            AND e.state IN ('queued', 'sending', 'failed'))
      ORDER BY next LIMIT 1
      """, .text(notifier)
    ) { $0.integer(0) }
  }

  func due(
    _ notifier: String, by moment: Int64, limit: Int
  ) throws(StoreError) -> [DeliveryRow] {
    // A former notice of the same alert that is being sent blocks the next one too.
    var rows: [DeliveryRow] = []
    try session.each(
      """
      SELECT * FROM deliveries AS d
      WHERE state IN ('queued', 'failed') AND notifier = ? AND next <= ?
        AND NOT EXISTS (
          SELECT 1 FROM deliveries AS e
          WHERE e.alert = d.alert AND e.notifier = d.notifier AND e.id < d.id
            AND e.state IN ('queued', 'sending', 'failed'))
      ORDER BY next, id LIMIT ?
      """, .text(notifier), .integer(moment), .integer(Int64(limit))
    ) { row throws(StoreError) in rows.append(Self.row(row)) }
    return rows
  }

  func insert(_ delivery: DeliveryRow) throws(StoreError) -> Int64 {
    let id = try session.first(
      """
      INSERT INTO deliveries (key, alert, notifier, kind, state, attempts, next, created, updated,
        error, notice)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id
      """,
      .text(delivery.key), .optional(delivery.alert), .text(delivery.notifier),
      .text(delivery.kind), .text(delivery.state.rawValue), .integer(delivery.attempts),
      .integer(delivery.next), .integer(delivery.created), .integer(delivery.updated),
      .optional(delivery.error), .blob(delivery.notice)
    ) { $0.integer(0) }
    guard let id else {
      throw StoreError(.conflict, "There is a delivery \"\(delivery.key)\" already.")
    }
    return id
  }

  func update(_ delivery: DeliveryRow) throws(StoreError) {
    try session.run(
      """
      UPDATE deliveries SET state = ?2, attempts = ?3, next = ?4, updated = ?5, error = ?6
      WHERE id = ?1
      """,
      .integer(delivery.id), .text(delivery.state.rawValue), .integer(delivery.attempts),
      .integer(delivery.next), .integer(delivery.updated), .optional(delivery.error))
    guard session.changes == 1 else {
      throw StoreError(.missing, "There is no delivery \(delivery.id).")
    }
  }

  func requeueInterrupted(except busy: Set<Int64>, now: Int64) throws(StoreError) -> Int {
    // The list of states repeats the condition of the partial index `deliveries_open`. Without it,
    // SQLite doesn't use that index and scans all deliveries. The same applies below.
    var interrupted: [(id: Int64, kind: String)] = []
    try session.each(
      """
      SELECT id, kind FROM deliveries
      WHERE state IN ('queued', 'sending', 'failed') AND state = 'sending'
      """
    ) { row throws(StoreError) in
      if !busy.contains(row.integer(0)) { interrupted.append((row.integer(0), row.text(1))) }
    }
    for (id, kind) in interrupted {
      // A test is sent only once, because the person who requested it no longer waits.
      let isTest = kind == DeliveryRow.testKind
      try session.run(
        "UPDATE deliveries SET state = ?2, error = ?3, next = ?4, updated = ?4 WHERE id = ?1",
        .integer(id),
        .text((isTest ? DeliveryRow.State.givenUp : .queued).rawValue),
        .optional(isTest ? "The agent ended while it was being sent." : nil), .integer(now))
    }
    return interrupted.count { $0.kind != DeliveryRow.testKind }
  }

  func hasten(at moment: Int64) throws(StoreError) {
    try session.run(
      """
      UPDATE deliveries SET next = ?1, updated = ?1
      WHERE state IN ('queued', 'sending', 'failed') AND state <> 'sending' AND next > ?1
        AND updated > ?1
      """, .integer(moment))
  }

  func giveUp(alert: Int64, because reason: String, now: Int64) throws(StoreError) -> Int {
    try session.run(
      """
      UPDATE deliveries SET state = 'given_up', error = ?2, updated = ?3
      WHERE alert = ?1 AND state IN ('queued', 'sending', 'failed') AND state <> 'sending'
      """, .integer(alert), .text(reason), .integer(now))
    return session.changes
  }

  func hasTried(alert: Int64, by notifier: String) throws(StoreError) -> Bool {
    try session.first(
      "SELECT 1 FROM deliveries WHERE alert = ? AND notifier = ? AND attempts > 0 LIMIT 1",
      .integer(alert), .text(notifier)
    ) { _ in true } ?? false
  }

  /// Keeps the newest delivery, because otherwise SQLite would reuse its number.
  func remove(endedBefore moment: Int64, limit: Int) throws(StoreError) -> Int {
    try session.run(
      """
      DELETE FROM deliveries WHERE id IN
        (SELECT id FROM deliveries AS d
         WHERE state IN ('delivered', 'given_up') AND updated < ?1
           AND id < (SELECT max(id) FROM deliveries)
           AND NOT EXISTS (SELECT 1 FROM alerts AS a WHERE a.id = d.alert AND a.closed IS NULL)
         ORDER BY updated LIMIT ?2)
      """, .integer(moment), .integer(Int64(limit)))
    return session.changes
  }

  func remove(endedBeyond most: Int, limit: Int) throws(StoreError) -> Int {
    try session.run(
      """
      DELETE FROM deliveries WHERE id IN
        (SELECT id FROM deliveries
         WHERE state IN ('delivered', 'given_up') AND id < (SELECT max(id) FROM deliveries)
         ORDER BY updated DESC LIMIT ?2 OFFSET ?1)
      """, .integer(Int64(max(0, most))), .integer(Int64(limit)))
    return session.changes
  }

  private static func row(_ row: SQLiteStatement) -> DeliveryRow {
    // Columns are read by index (`SELECT *`), so migrations may add columns only at the end.
    DeliveryRow(
      id: row.integer(0), key: row.text(1), alert: row.optionalInteger(2),
      notifier: row.text(3), kind: row.text(4),
      state: DeliveryRow.State(rawValue: row.text(5)) ?? .givenUp, attempts: row.integer(6),
      next: row.integer(7), created: row.integer(8), updated: row.integer(9),
      error: row.isNull(10) ? nil : row.text(10), notice: row.blob(11))
  }
}
