internal import AgentSystem

extension SQLiteEventWriter {
  func forgetEmptyTypes() throws(StoreError) -> Int {
    // The counts are written once for each transaction. Without this, they would lack its own
    // events.
    try flush()
    // The greatest number is kept so that it isn't reused, because readers cache names by number.
    try session.run(
      """
      DELETE FROM event_types
      WHERE count = 0 AND id < (SELECT max(id) FROM event_types)
        AND NOT EXISTS (SELECT 1 FROM events WHERE events.type = event_types.id)
      """)
    let count = session.changes
    // Otherwise, the writer would add events to a type whose row was removed.
    if count > 0 { forgetNumbers() }
    return Int(clamping: count)
  }

  func retain(_ rule: EventRetentionRule, now: Int64, limit: Int) throws(StoreError)
    -> EventRetentionStep
  {
    guard let type = try numbers(of: [rule.type]).first else {
      return EventRetentionStep(count: 0, bytes: 0, isFinished: true)
    }
    // The changes of this transaction aren't in the table yet.
    let surplus = try surplus(rule, type: type, now: now, pending.totals[type])
    let (rows, isFinished) = try oldest(
      of: type, surplus, keepsAfter: rule.keepsAfter, limit, looks: limit)
    for row in rows { try remove(row.position, row.bytes, of: type) }
    return EventRetentionStep(
      count: rows.count, bytes: rows.reduce(0) { $0.adding($1.bytes) }, isFinished: isFinished)
  }
}

extension SQLiteEventReader {
  /// How many events that are still needed are looked at for one behind them.
  private static let looks = 1_000

  func isDue(_ rule: EventRetentionRule, now: Int64) throws(StoreError) -> Bool {
    guard let type = try numbers(of: [rule.type]).first else { return false }
    let surplus = try surplus(rule, type: type, now: now, nil)
    return try !oldest(
      of: type, surplus, keepsAfter: rule.keepsAfter, 1, looks: Self.looks
    ).rows.isEmpty
  }

  /// The events that a rule removes: those before a time, and the numbers of events and bytes
  /// beyond the rule's limits.
  fileprivate struct Surplus {
    let before: Int64
    var count: Int64
    var bytes: Int64

    func includes(_ timestamp: Int64) -> Bool { timestamp < before || count > 0 || bytes > 0 }
  }

  /// - Parameter recent: what the present transaction has added.
  fileprivate func surplus(
    _ rule: EventRetentionRule, type: Int64, now: Int64, _ recent: SQLiteEventWriter.Pending.Total?
  ) throws(StoreError) -> Surplus {
    let stored = try session.first(
      "SELECT count, bytes FROM event_types WHERE id = ?", .integer(type)
    ) { ($0.integer(0), $0.integer(1)) }
    let count = (stored?.0 ?? 0).adding(recent?.count ?? 0)
    let bytes = (stored?.1 ?? 0).adding(recent?.bytes ?? 0)
    return Surplus(
      before: rule.age.map { now.subtracting(max(0, $0)) } ?? .min,
      count: rule.count.map { count.subtracting(max(0, $0)) } ?? 0,
      bytes: rule.bytes.map { bytes.subtracting(max(0, $0)) } ?? 0)
  }

  /// Returns at most `limit` of the oldest events that a rule removes.
  /// - Parameter looks: how many events are looked at that are still needed.
  fileprivate func oldest(
    of type: Int64, _ surplus: Surplus, keepsAfter: Int64?, _ limit: Int, looks: Int
  ) throws(StoreError) -> (rows: [(position: Int64, bytes: Int64)], isFinished: Bool) {
    var surplus = surplus
    var rows: [(position: Int64, bytes: Int64)] = []
    var kept = 0
    let statement = try session.statement(
      """
      SELECT position, timestamp, length(body) FROM events WHERE type = ?
      ORDER BY timestamp, position
      """)
    defer { statement.reset() }
    try statement.bind([.integer(type)])
    while try statement.step() {
      guard surplus.includes(statement.integer(1)) else { return (rows, true) }
      let (position, bytes) = (statement.integer(0), statement.integer(2))
      if position > keepsAfter ?? .max {
        // An event with an old timestamp may be stored after those that are still needed. Some kept
        // events are skipped to find it, but not all, because there may be millions.
        kept += 1
        if kept >= max(1, looks) { return (rows, true) }
        continue
      }
      // The rows are collected here and removed by the caller. SQLite doesn't define whether a
      // running statement sees changes of the same table.
      guard rows.count < limit else { return (rows, false) }
      rows.append((position, bytes))
      surplus.count = surplus.count.subtracting(1)
      surplus.bytes = surplus.bytes.subtracting(bytes)
    }
    return (rows, true)
  }
}
