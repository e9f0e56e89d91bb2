/// Reads the key-value store on one connection, on the thread that uses it.
class SQLiteStateReader: StateReader {
  let session: SQLiteSession
  let limits: StateLimits

  init(_ session: SQLiteSession, limits: StateLimits) {
    self.session = session
    self.limits = limits
  }

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
    // Two texts, because a comparison operator can't be bound. The prefix isn't part of the
    // statement: keys with a prefix are adjacent, and the loop ends at the first key without it.
    let range = KeyRange(prefix, after)
    let statement = try session.statement(
      range.isOpen
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
    return try rows(statement, of: owner, in: range, limit: limit) { Self.row($0, of: owner) }
  }

  func keys(of owner: String, prefix: String, after: String?, limit: Int) throws(StoreError)
    -> [StateKey]
  {
    let range = KeyRange(prefix, after)
    let statement = try session.statement(
      range.isOpen
        ? """
        SELECT key, length(value), state.version, updated FROM state
        JOIN state_owners ON state_owners.id = state.owner
        WHERE name = ? AND key > ? ORDER BY key LIMIT ?
        """
        : """
        SELECT key, length(value), state.version, updated FROM state
        JOIN state_owners ON state_owners.id = state.owner
        WHERE name = ? AND key >= ? ORDER BY key LIMIT ?
        """)
    return try rows(statement, of: owner, in: range, limit: limit) {
      StateKey(
        key: $0.text(0), version: $0.integer(2), updated: $0.integer(3), bytes: $0.integer(1))
    }
  }

  /// The start of a range of keys. Keys are compared byte by byte, so those with the same prefix
  /// are adjacent.
  private struct KeyRange {
    let prefix: String
    let start: String
    /// Whether the start itself is excluded.
    let isOpen: Bool

    init(_ prefix: String, _ after: String?) {
      self.prefix = prefix
      // A start before the prefix excludes nothing.
      let after = after.flatMap { $0.utf8.lexicographicallyPrecedes(prefix.utf8) ? nil : $0 }
      start = after ?? prefix
      isOpen = after != nil
    }
  }

  /// Reads rows until a key doesn't have the prefix. The key is the statement's first column.
  private func rows<Row>(
    _ statement: SQLiteStatement, of owner: String, in range: KeyRange, limit: Int,
    row: (SQLiteStatement) -> Row
  ) throws(StoreError) -> [Row] {
    defer { statement.reset() }
    try statement.bind([.text(owner), .text(range.start), .integer(Int64(max(0, limit)))])
    var rows: [Row] = []
    while try statement.step() {
      guard statement.text(0).utf8.starts(with: range.prefix.utf8) else { break }
      rows.append(row(statement))
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
      owners.append(Self.owner(row))
    }
    return owners
  }

  func owner(_ name: String) throws(StoreError) -> StateOwner? {
    try session.first(
      "SELECT name, count, bytes, version FROM state_owners WHERE name = ?", .text(name)
    ) { Self.owner($0) }
  }

  private static func owner(_ row: SQLiteStatement) -> StateOwner {
    StateOwner(
      owner: row.text(0), count: row.integer(1), bytes: row.integer(2), version: row.integer(3))
  }

  private static func row(_ row: SQLiteStatement, of owner: String) -> StateRow {
    StateRow(
      owner: owner, key: row.text(0), value: row.blob(1), version: row.integer(2),
      updated: row.integer(3))
  }
}
