/// Reads and writes users on one connection.
final class SQLiteUsers: UserStorage {
  private let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func users() throws(StoreError) -> [UserRow] {
    var rows: [UserRow] = []
    try session.each("SELECT name, role, password, created, updated FROM users ORDER BY name") {
      row throws(StoreError) in
      rows.append(
        UserRow(
          name: row.text(0), role: row.text(1), passwordHash: row.text(2),
          created: row.integer(3), updated: row.integer(4)))
    }
    return rows
  }

  func insert(_ user: UserRow) throws(StoreError) {
    try session.run(
      """
      INSERT INTO users (name, role, password, created, updated) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (name) DO NOTHING
      """,
      .text(user.name), .text(user.role), .text(user.passwordHash), .integer(user.created),
      .integer(user.updated))
    // ON CONFLICT changes no row if the name exists.
    guard session.changes == 1 else {
      throw StoreError(.conflict, "There is a user \"\(user.name)\" already.")
    }
  }

  func update(_ user: UserRow) throws(StoreError) {
    try session.run(
      "UPDATE users SET role = ?, password = ?, updated = ? WHERE name = ?",
      .text(user.role), .text(user.passwordHash), .integer(user.updated), .text(user.name))
    guard session.changes == 1 else {
      throw StoreError(.missing, "There is no user \"\(user.name)\".")
    }
  }

  func remove(_ name: String) throws(StoreError) -> Bool {
    try session.run("DELETE FROM users WHERE name = ?", .text(name))
    return session.changes == 1
  }
}
