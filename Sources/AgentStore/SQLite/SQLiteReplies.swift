/// Answers to requests with idempotency keys, on one connection.
final class SQLiteReplies: ReplyStorage {
  private let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func reply(_ principal: String, _ key: String) throws(StoreError) -> ReplyRow? {
    var found: ReplyRow?
    try session.each(
      """
      SELECT fingerprint, created, status, content_type, body FROM replies
      WHERE principal = ? AND key = ?
      """, .text(principal), .text(key)
    ) { row throws(StoreError) in
      found = ReplyRow(
        principal: principal, key: key, fingerprint: row.blob(0), created: row.integer(1),
        status: row.isNull(2) ? nil : Int(row.integer(2)), contentType: row.text(3),
        body: row.blob(4))
    }
    return found
  }

  func insert(_ reply: ReplyRow) throws(StoreError) {
    try session.run(
      """
      INSERT INTO replies (principal, key, fingerprint, created, content_type, body)
      VALUES (?, ?, ?, ?, '', x'') ON CONFLICT DO NOTHING
      """, .text(reply.principal), .text(reply.key), .blob(reply.fingerprint),
      .integer(reply.created))
    guard session.changes == 1 else {
      throw StoreError(.conflict, "There is a request with the key \"\(reply.key)\" already.")
    }
  }

  func finish(_ reply: ReplyRow) throws(StoreError) {
    try session.run(
      """
      UPDATE replies SET status = ?, content_type = ?, body = ? WHERE principal = ? AND key = ?
      """, reply.status.map { .integer(Int64($0)) } ?? .null, .text(reply.contentType),
      .blob(reply.body), .text(reply.principal), .text(reply.key))
  }

  func removeReply(_ principal: String, _ key: String) throws(StoreError) {
    try session.run(
      "DELETE FROM replies WHERE principal = ? AND key = ?", .text(principal), .text(key))
  }

  func removeReplies(before moment: Int64) throws(StoreError) {
    try session.run("DELETE FROM replies WHERE created < ?", .integer(moment))
  }
}

/// Their table.
extension SQLiteSchema {
  static let replies: [StaticString] = [
    """
    CREATE TABLE replies (
      principal TEXT NOT NULL,
      key TEXT NOT NULL,
      fingerprint BLOB NOT NULL,
      created INTEGER NOT NULL,
      status INTEGER,
      content_type TEXT NOT NULL,
      body BLOB NOT NULL,
      PRIMARY KEY (principal, key)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX replies_by_age ON replies (created)",
  ]

  static let withoutReplies: [StaticString] = ["DROP TABLE replies"]
}
