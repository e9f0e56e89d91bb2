/// Tasks, and what belongs to them.
///
/// A task's way through its states costs few changes of indexes, because most rows are in none:
/// `tasks_queued` is the order in which lanes are worked off, `tasks_open` what has not ended,
/// `tasks_wake` what somebody has to look after. The numbers by type and state are kept beside, so
/// that nobody counts a million rows. Its history is in the row: it is written with each change.
extension SQLiteSchema {
  static let tasks: [StaticString] = [
    """
    CREATE TABLE tasks (
      id INTEGER PRIMARY KEY,
      version INTEGER NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      state TEXT NOT NULL,
      priority INTEGER NOT NULL,
      lane TEXT NOT NULL,
      rank INTEGER NOT NULL,
      created INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      asked INTEGER,
      cancelling INTEGER,
      run_at INTEGER,
      due INTEGER,
      wake INTEGER,
      attempt INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      owner TEXT,
      bot TEXT,
      started INTEGER,
      finished INTEGER,
      unique_key TEXT,
      parent INTEGER,
      batch INTEGER,
      schedule INTEGER,
      definition BLOB NOT NULL,
      progress BLOB,
      result BLOB,
      history BLOB NOT NULL
    ) STRICT
    """,
    "CREATE INDEX tasks_queued ON tasks (lane, rank) WHERE state = 'queued'",
    "CREATE INDEX tasks_open ON tasks (state, id) WHERE finished IS NULL",
    "CREATE INDEX tasks_trouble ON tasks (id) WHERE state IN ('failed', 'dead')",
    "CREATE INDEX tasks_wake ON tasks (wake) WHERE wake IS NOT NULL",
    "CREATE UNIQUE INDEX tasks_unique ON tasks (unique_key) WHERE unique_key IS NOT NULL",
    "CREATE INDEX tasks_bot ON tasks (bot, id) WHERE bot IS NOT NULL",
    "CREATE INDEX tasks_parent ON tasks (parent) WHERE parent IS NOT NULL",
    "CREATE INDEX tasks_batch ON tasks (batch) WHERE batch IS NOT NULL",
    "CREATE INDEX tasks_schedule ON tasks (schedule, id) WHERE schedule IS NOT NULL",
    """
    CREATE TABLE task_counts (
      type TEXT NOT NULL,
      state TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (type, state)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE task_sequence (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      removed INTEGER NOT NULL
    ) STRICT
    """,
    "INSERT INTO task_sequence (id, removed) VALUES (1, 0)",
    """
    CREATE TABLE task_logs (
      task INTEGER NOT NULL,
      number INTEGER NOT NULL,
      timestamp INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      stream TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (task, number)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE task_artefacts (
      task INTEGER NOT NULL,
      name TEXT NOT NULL,
      media_type TEXT NOT NULL,
      size INTEGER NOT NULL,
      timestamp INTEGER NOT NULL,
      PRIMARY KEY (task, name)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE task_batches (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      created INTEGER NOT NULL,
      total INTEGER NOT NULL,
      pending INTEGER NOT NULL,
      unsuccessful INTEGER NOT NULL,
      finished INTEGER
    ) STRICT
    """,
  ]

  static let withoutTasks: [StaticString] = [
    "DROP TABLE task_batches", "DROP TABLE task_artefacts", "DROP TABLE task_logs",
    "DROP TABLE task_sequence", "DROP TABLE task_counts", "DROP TABLE tasks",
  ]

  /// Counted apart: the number of a lease also grows with what ended well and was asked for again.
  static let lostAttempts: [StaticString] = [
    "ALTER TABLE tasks ADD COLUMN lost INTEGER NOT NULL DEFAULT 0"
  ]

  static let withoutLostAttempts: [StaticString] = ["ALTER TABLE tasks DROP COLUMN lost"]
}
