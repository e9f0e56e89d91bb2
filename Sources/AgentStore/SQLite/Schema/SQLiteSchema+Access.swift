/// The tables of tokens, users and the audit log.
extension SQLiteSchema {
  static let access: [StaticString] = [
    """
    CREATE TABLE tokens (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      scopes TEXT NOT NULL,
      digest BLOB NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER,
      revoked INTEGER,
      used INTEGER
    ) STRICT
    """,
    """
    CREATE TABLE users (
      name TEXT PRIMARY KEY COLLATE NOCASE,
      role TEXT NOT NULL,
      password TEXT NOT NULL,
      created INTEGER NOT NULL,
      updated INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE audit (
      number INTEGER PRIMARY KEY,
      timestamp INTEGER NOT NULL,
      actor TEXT NOT NULL,
      address TEXT NOT NULL,
      action TEXT NOT NULL,
      target TEXT NOT NULL,
      outcome TEXT NOT NULL,
      detail BLOB NOT NULL,
      hash BLOB NOT NULL
    ) STRICT
    """,
    """
    CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
      BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END
    """,
    """
    CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
      BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END
    """,
  ]

  /// The beginning of the audit log may be removed up to the number in the only row of `audit_cut`.
  static let auditCut: [StaticString] = [
    """
    CREATE TABLE audit_cut (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      number INTEGER NOT NULL,
      hash BLOB NOT NULL
    ) STRICT
    """,
    """
    CREATE TRIGGER audit_cut_goes_on BEFORE UPDATE ON audit_cut WHEN NEW.number <= OLD.number
      BEGIN SELECT RAISE(ABORT, 'the audit log is cut off further on, never further back'); END
    """,
    """
    CREATE TRIGGER audit_cut_stays BEFORE DELETE ON audit_cut
      BEGIN SELECT RAISE(ABORT, 'what was cut off the audit log stays said'); END
    """,
    // The new trigger allows the removal of lines up to the cut. SQLite can't change a trigger.
    "DROP TRIGGER audit_is_not_removed",
    """
    CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
      WHEN OLD.number > coalesce((SELECT number FROM audit_cut), OLD.number - 1)
      BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END
    """,
  ]

  static let withoutAuditCut: [StaticString] = [
    // Restores the trigger of the former version, which refuses every removal.
    "DROP TRIGGER audit_is_not_removed",
    """
    CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
      BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END
    """,
    "DROP TABLE audit_cut",
  ]

  static let withoutAccess: [StaticString] = [
    "DROP TABLE audit", "DROP TABLE users", "DROP TABLE tokens",
  ]
}
