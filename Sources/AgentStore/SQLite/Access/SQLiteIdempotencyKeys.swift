/// Reads and writes responses to requests with idempotency keys, on one connection.
final class SQLiteIdempotencyKeys: IdempotencyKeyStorage {
  private let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func reply(_ principal: String, _ key: String) throws(StoreError) -> IdempotencyKeyRow? {
    var found: IdempotencyKeyRow?
    try session.each(
      """
      SELECT fingerprint, created, status, content_type, body, is_kept FROM idempotency_keys
      WHERE principal = ? AND key = ?
      """, .text(principal), .text(key)
    ) { row throws(StoreError) in
      found = IdempotencyKeyRow(
        principal: principal, key: key, fingerprint: row.blob(0), created: row.integer(1),
        status: row.isNull(2) ? nil : Int(row.integer(2)), contentType: row.text(3),
        body: row.blob(4), isKept: row.integer(5) == 1)
    }
    return found
  }

  func replyBytes() throws(StoreError) -> Int64 {
    var bytes: Int64 = 0
    // Triggers update the sum; see `replySize`.
    try session.each("SELECT bytes FROM idempotency_keys_size") { row throws(StoreError) in
      bytes = row.integer(0)
    }
    return bytes
  }

  func insert(_ reply: IdempotencyKeyRow) throws(StoreError) {
    try session.run(
      """
      INSERT INTO idempotency_keys (principal, key, fingerprint, created, content_type, body)
      VALUES (?, ?, ?, ?, '', x'') ON CONFLICT DO NOTHING
      """, .text(reply.principal), .text(reply.key), .blob(reply.fingerprint),
      .integer(reply.created))
    // ON CONFLICT changes no row if the caller has used the key.
    guard session.changes == 1 else {
      throw StoreError(.conflict, "There is a request with the key \"\(reply.key)\" already.")
    }
  }

  func finish(_ reply: IdempotencyKeyRow) throws(StoreError) {
    try session.run(
      """
      UPDATE idempotency_keys SET status = ?, content_type = ?, body = ?, is_kept = ?
      WHERE principal = ? AND key = ?
      """, reply.status.map { .integer(Int64($0)) } ?? .null, .text(reply.contentType),
      .blob(reply.body), .integer(reply.isKept ? 1 : 0), .text(reply.principal), .text(reply.key))
  }

  func removeKey(_ principal: String, _ key: String) throws(StoreError) {
    try session.run(
      "DELETE FROM idempotency_keys WHERE principal = ? AND key = ?", .text(principal), .text(key))
  }

  func removeExpiredKeys(before moment: Int64) throws(StoreError) {
    try session.run("DELETE FROM idempotency_keys WHERE created < ?", .integer(moment))
  }

  func removeOldestKey() throws(StoreError) -> Bool {
    // A request without a status is still being processed, so its key must be kept.
    try session.run(
      """
      DELETE FROM idempotency_keys WHERE (principal, key) = (
        SELECT principal, key FROM idempotency_keys WHERE status IS NOT NULL ORDER BY created LIMIT 1)
      """)
    return session.changes > 0
  }
}

/// The tables of idempotency keys.
extension SQLiteSchema {
  static let idempotencyKeys: [StaticString] = [
    """
    CREATE TABLE idempotency_keys (
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
    "CREATE INDEX replies_by_age ON idempotency_keys (created)",
  ]

  /// A single row contains the total size of all responses. Rationale: it is read after each
  /// response. Triggers keep it correct even if a part of a transaction is rolled back.
  static let replySize: [StaticString] = [
    "ALTER TABLE idempotency_keys ADD COLUMN is_kept INTEGER NOT NULL DEFAULT 1",
    """
    CREATE TABLE idempotency_keys_size (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bytes INTEGER NOT NULL
    ) STRICT
    """,
    """
    INSERT INTO idempotency_keys_size
    SELECT 1, coalesce(sum(200 + length(CAST(principal AS BLOB)) + length(CAST(key AS BLOB))
      + length(fingerprint) + length(CAST(content_type AS BLOB)) + length(body)), 0)
    FROM idempotency_keys
    """,
    """
    CREATE TRIGGER replies_insert AFTER INSERT ON idempotency_keys BEGIN
      UPDATE idempotency_keys_size SET bytes = bytes + 200 + length(CAST(new.principal AS BLOB))
        + length(CAST(new.key AS BLOB)) + length(new.fingerprint)
        + length(CAST(new.content_type AS BLOB)) + length(new.body);
    END
    """,
    """
    CREATE TRIGGER replies_update AFTER UPDATE OF content_type, body ON idempotency_keys BEGIN
      UPDATE idempotency_keys_size SET bytes = bytes + length(CAST(new.content_type AS BLOB))
        + length(new.body) - length(CAST(old.content_type AS BLOB)) - length(old.body);
    END
    """,
    """
    CREATE TRIGGER replies_delete AFTER DELETE ON idempotency_keys BEGIN
      UPDATE idempotency_keys_size SET bytes = bytes - 200 - length(CAST(old.principal AS BLOB))
        - length(CAST(old.key AS BLOB)) - length(old.fingerprint)
        - length(CAST(old.content_type AS BLOB)) - length(old.body);
    END
    """,
  ]

  static let withoutReplySize: [StaticString] = [
    "DROP TRIGGER replies_delete", "DROP TRIGGER replies_update", "DROP TRIGGER replies_insert",
    "DROP TABLE idempotency_keys_size", "ALTER TABLE idempotency_keys DROP COLUMN is_kept",
  ]

  static let withoutReplies: [StaticString] = ["DROP TABLE idempotency_keys"]
}
