/// The tables, as the migrations create them.
///
/// `events` gets hundreds of thousands of rows in a second. Therefore, its type is a number, one
/// index serves both reads by type and time and retention, and it has no foreign key (a type that
/// has events is never removed). The writer assigns positions and stores the greatest removed one
/// in `event_sequence`. Rationale: `AUTOINCREMENT` would store that at each insert
/// (docs/decisions/0011).
enum SQLiteSchema {
  /// `PRAGMA application_id`: "Bulk" in ASCII.
  static let applicationID: Int64 = 0x4275_6c6b

  static let first: [StaticString] = [
    """
    CREATE TABLE event_types (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      count INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    """
    CREATE TABLE events (
      position INTEGER PRIMARY KEY,
      type INTEGER NOT NULL,
      timestamp INTEGER NOT NULL,
      source TEXT NOT NULL,
      body BLOB NOT NULL,
      overwrite_key TEXT
    ) STRICT
    """,
    "CREATE INDEX events_by_type ON events (type, timestamp)",
    """
    CREATE UNIQUE INDEX events_by_key ON events (type, overwrite_key)
      WHERE overwrite_key IS NOT NULL
    """,
    """
    CREATE TABLE event_sequence (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      removed INTEGER NOT NULL
    ) STRICT
    """,
    // The row always exists, so writes only need an update.
    "INSERT INTO event_sequence (id, removed) VALUES (1, 0)",
    """
    CREATE TABLE consumers (
      name TEXT PRIMARY KEY,
      position INTEGER NOT NULL,
      created INTEGER NOT NULL,
      updated INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE state_owners (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      version INTEGER NOT NULL DEFAULT 0,
      count INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      history_bytes INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    """
    CREATE TABLE state (
      owner INTEGER NOT NULL REFERENCES state_owners (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      value BLOB NOT NULL,
      version INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      UNIQUE (owner, key)
    ) STRICT
    """,
    """
    CREATE TABLE state_history (
      owner INTEGER NOT NULL REFERENCES state_owners (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      version INTEGER NOT NULL,
      value BLOB,
      updated INTEGER NOT NULL,
      UNIQUE (owner, key, version)
    ) STRICT
    """,
    // The order by age, for the size limit of an owner's history.
    "CREATE INDEX state_history_by_age ON state_history (owner, version)",
    // The writer fills and empties this row to test whether the disk has free space again.
    "CREATE TABLE room (id INTEGER PRIMARY KEY CHECK (id = 1), filler BLOB) STRICT",
    "INSERT INTO room (id) VALUES (1)",
  ]

  static let withoutFirst: [StaticString] = [
    "DROP TABLE room", "DROP TABLE state_history", "DROP TABLE state", "DROP TABLE state_owners",
    "DROP TABLE consumers", "DROP TABLE event_sequence", "DROP TABLE events",
    "DROP TABLE event_types",
  ]
}
