/// Reads and writes tokens on one connection.
final class SQLiteTokens: TokenStorage {
  private let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func tokens() throws(StoreError) -> [TokenRow] {
    var rows: [TokenRow] = []
    try session.each(
      """
      SELECT id, name, kind, subject, scopes, digest, created, expires, revoked, used
      FROM tokens ORDER BY created, id
      """
    ) { row throws(StoreError) in rows.append(Self.row(row)) }
    return rows
  }

  func insert(_ token: TokenRow) throws(StoreError) {
    try session.run(
      """
      INSERT INTO tokens (id, name, kind, subject, scopes, digest, created, expires)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
      """,
      .text(token.id), .text(token.name), .text(token.kind), .text(token.subject),
      .text(token.scopes.joined(separator: " ")), .blob(token.digest), .integer(token.created),
      token.expires.map(SQLiteValue.integer) ?? .null)
    // ON CONFLICT changes no row if the id exists.
    guard session.changes == 1 else {
      throw StoreError(.conflict, "There is a token \"\(token.id)\" already.")
    }
  }

  func revoke(_ id: String, now: Int64) throws(StoreError) -> Bool {
    // A token that was revoked before keeps the time of its first revocation.
    try session.run(
      "UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL", .integer(now), .text(id))
    return session.changes == 1
  }

  func used(_ times: [String: Int64]) throws(StoreError) {
    for (id, time) in times {
      try session.run("UPDATE tokens SET used = ? WHERE id = ?", .integer(time), .text(id))
    }
  }

  func remove(_ ids: [String]) throws(StoreError) {
    for id in ids { try session.run("DELETE FROM tokens WHERE id = ?", .text(id)) }
  }

  private static func row(_ row: SQLiteStatement) -> TokenRow {
    func time(_ column: Int32) -> Int64? { row.isNull(column) ? nil : row.integer(column) }
    return TokenRow(
      id: row.text(0), name: row.text(1), kind: row.text(2), subject: row.text(3),
      scopes: row.text(4).split(separator: " ").map(String.init), digest: row.blob(5),
      created: row.integer(6), expires: time(7), revoked: time(8), used: time(9))
  }
}
