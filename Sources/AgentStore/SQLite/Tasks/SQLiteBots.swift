/// Reads and writes bots on one connection.
final class SQLiteBots: BotStorage {
  private let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func forEachBot(_ body: (BotRow) throws(StoreError) -> Void) throws(StoreError) {
    try session.each("SELECT * FROM bots ORDER BY id") { row throws(StoreError) in
      try body(Self.row(row))
    }
  }

  func bot(_ id: String) throws(StoreError) -> BotRow? {
    try session.first("SELECT * FROM bots WHERE id = ?", .text(id), row: Self.row)
  }

  func strategy() throws(StoreError) -> String? {
    try session.first("SELECT name FROM assignment_strategy") { $0.text(0) }
  }

  func put(_ bot: BotRow) throws(StoreError) {
    try session.run(
      """
      INSERT INTO bots VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      ON CONFLICT (id) DO UPDATE SET definition = ?2, lifecycle = ?3, owner = ?4, updated = ?6,
        heartbeat = ?7, beats = ?8, authority = ?9
      """,
      .text(bot.id), .blob(bot.definition), .text(bot.lifecycle), .optional(bot.owner),
      .integer(bot.registered), .integer(bot.updated), .integer(bot.heartbeat),
      .integer(bot.beats ? 1 : 0), .optional(bot.authority))
  }

  func remove(_ id: String) throws(StoreError) -> Bool {
    try session.run("DELETE FROM bots WHERE id = ?", .text(id))
    return session.changes == 1
  }

  func choose(strategy: String) throws(StoreError) {
    try session.run(
      """
      INSERT INTO assignment_strategy VALUES (1, ?1)
      ON CONFLICT (id) DO UPDATE SET name = ?1
      """, .text(strategy))
  }

  private static func row(_ row: SQLiteStatement) -> BotRow {
    // Columns are read by index (`SELECT *`), so migrations may add columns only at the end.
    BotRow(
      id: row.text(0), definition: row.blob(1), lifecycle: row.text(2),
      owner: row.isNull(3) ? nil : row.text(3), registered: row.integer(4),
      updated: row.integer(5), heartbeat: row.integer(6), beats: row.integer(7) != 0,
      authority: row.optionalText(8))
  }
}
