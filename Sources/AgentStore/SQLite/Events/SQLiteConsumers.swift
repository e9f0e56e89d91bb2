/// Reads and writes durable consumers on one connection.
final class SQLiteConsumers: ConsumerStorage {
  private let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func consumer(_ name: String) throws(StoreError) -> ConsumerRow? {
    try session.first(
      "SELECT name, position, created, updated FROM consumers WHERE name = ?", .text(name),
      row: Self.row)
  }

  func consumers() throws(StoreError) -> [ConsumerRow] {
    var rows: [ConsumerRow] = []
    try session.each("SELECT name, position, created, updated FROM consumers ORDER BY name") {
      row throws(StoreError) in rows.append(Self.row(row))
    }
    return rows
  }

  func oldestPosition() throws(StoreError) -> Int64? {
    try session.first("SELECT min(position) FROM consumers") {
      $0.isNull(0) ? nil : $0.integer(0)
    } ?? nil
  }

  func register(_ name: String, after position: Int64, now: Int64) throws(StoreError)
    -> ConsumerRow
  {
    guard !name.isEmpty else {
      throw StoreError(.invalid, "A durable consumer needs a name that isn't empty.")
    }
    // An existing consumer keeps its position, because it registers again after each restart.
    try session.run(
      """
      INSERT INTO consumers (name, position, created, updated) VALUES (?1, ?2, ?3, ?3)
      ON CONFLICT (name) DO NOTHING
      """, .text(name), .integer(position), .integer(now))
    guard let row = try consumer(name) else { throw missing(name) }
    return row
  }

  func acknowledge(_ name: String, through position: Int64, now: Int64) throws(StoreError)
    -> Int64
  {
    try session.run(
      "UPDATE consumers SET position = ?2, updated = ?3 WHERE name = ?1 AND position < ?2",
      .text(name), .integer(position), .integer(now))
    // If nothing changed, the position is greater already, which is no error, or the consumer isn't
    // registered.
    if session.changes == 1 { return position }
    guard let row = try consumer(name) else { throw missing(name) }
    return row.position
  }

  func remove(_ name: String) throws(StoreError) -> Bool {
    try session.run("DELETE FROM consumers WHERE name = ?", .text(name))
    return session.changes > 0
  }

  private func missing(_ name: String) -> StoreError {
    StoreError(
      .missing, "There is no durable consumer \"\(name)\". Register it before it acknowledges.")
  }

  private static func row(_ row: SQLiteStatement) -> ConsumerRow {
    ConsumerRow(
      name: row.text(0), position: row.integer(1), created: row.integer(2),
      updated: row.integer(3))
  }
}
