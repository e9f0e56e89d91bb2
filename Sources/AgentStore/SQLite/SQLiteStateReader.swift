/// Reads the key-value store on one connection.
class SQLiteStateReader: StateReading {
  let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func value(_ key: String, of owner: String) throws(StoreError) -> StateRow? {
    try session.first(
      """
      SELECT key, value, state.version, updated FROM state
      JOIN state_owners ON state_owners.id = state.owner WHERE name = ? AND key = ?
      """, .text(owner), .text(key)
    ) { Self.row($0, of: owner) }
  }

  func values(of owner: String, prefix: String, after: String?, limit: Int) throws(StoreError)
    -> [StateRow]
  {
    // Keys are compared byte by byte, so those with a prefix stand together.
    let isAfter = after.map { !$0.utf8.lexicographicallyPrecedes(prefix.utf8) } ?? false
    let statement = try session.statement(
      isAfter
        ? """
        SELECT key, value, state.version, updated FROM state
        JOIN state_owners ON state_owners.id = state.owner
        WHERE name = ? AND key > ? ORDER BY key LIMIT ?
        """
        : """
        SELECT key, value, state.version, updated FROM state
        JOIN state_owners ON state_owners.id = state.owner
        WHERE name = ? AND key >= ? ORDER BY key LIMIT ?
        """)
    defer { statement.reset() }
    try statement.bind([
      .text(owner), .text(isAfter ? after ?? prefix : prefix), .integer(Int64(max(0, limit))),
    ])
    var rows: [StateRow] = []
    while try statement.step() {
      let row = Self.row(statement, of: owner)
      guard row.key.utf8.starts(with: prefix.utf8) else { break }
      rows.append(row)
    }
    return rows
  }

  func history(of key: String, owner: String) throws(StoreError) -> [StateVersion] {
    var versions: [StateVersion] = []
    try session.each(
      """
      SELECT state_history.version, value, updated FROM state_history
      JOIN state_owners ON state_owners.id = state_history.owner
      WHERE name = ? AND key = ? ORDER BY state_history.version DESC
      """, .text(owner), .text(key)
    ) { row throws(StoreError) in
      versions.append(
        StateVersion(
          version: row.integer(0), value: row.isNull(1) ? nil : row.blob(1),
          updated: row.integer(2)))
    }
    return versions
  }

  func owners() throws(StoreError) -> [StateOwner] {
    var owners: [StateOwner] = []
    try session.each("SELECT name, count, bytes, version FROM state_owners ORDER BY name") {
      row throws(StoreError) in
      owners.append(
        StateOwner(
          owner: row.text(0), count: row.integer(1), bytes: row.integer(2),
          version: row.integer(3)))
    }
    return owners
  }

  private static func row(_ row: SQLiteStatement, of owner: String) -> StateRow {
    StateRow(
      owner: owner, key: row.text(0), value: row.blob(1), version: row.integer(2),
      updated: row.integer(3))
  }
}
