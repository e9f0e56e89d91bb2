/// The tables of bots, of their assignments, and of escalations.
extension SQLiteSchema {
  static let bots: [StaticString] = [
    """
    CREATE TABLE bots (
      id TEXT PRIMARY KEY,
      definition BLOB NOT NULL,
      lifecycle TEXT NOT NULL,
      owner TEXT,
      registered INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      heartbeat INTEGER NOT NULL,
      beats INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE assignment_strategy (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      name TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE assignments (
      id INTEGER PRIMARY KEY,
      task INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      bot TEXT NOT NULL,
      state TEXT NOT NULL,
      strategy TEXT NOT NULL,
      capability TEXT,
      decision BLOB NOT NULL,
      waited INTEGER NOT NULL,
      created INTEGER NOT NULL,
      accepted INTEGER,
      ended INTEGER,
      result BLOB,
      note TEXT
    ) STRICT
    """,
    // At most one bot can have a lease, even if the dispatcher has a fault.
    "CREATE UNIQUE INDEX assignments_lease ON assignments (task, attempt)",
    "CREATE INDEX assignments_bot ON assignments (bot, id)",
    // Partial, because nearly all assignments have ended.
    "CREATE INDEX assignments_open ON assignments (id) WHERE ended IS NULL",
    "CREATE INDEX assignments_ended ON assignments (ended) WHERE ended IS NOT NULL",
    """
    CREATE TABLE task_escalations (
      task INTEGER NOT NULL,
      step INTEGER NOT NULL,
      count INTEGER NOT NULL,
      last INTEGER NOT NULL,
      PRIMARY KEY (task, step)
    ) STRICT, WITHOUT ROWID
    """,
  ]

  /// The rights of the caller that defined a bot. They are checked again when the settings declare
  /// a type that the bot takes.
  static let botAuthority: [StaticString] = ["ALTER TABLE bots ADD COLUMN authority TEXT"]

  static let withoutBotAuthority: [StaticString] = ["ALTER TABLE bots DROP COLUMN authority"]

  static let withoutBots: [StaticString] = [
    "DROP TABLE task_escalations", "DROP TABLE assignments", "DROP TABLE assignment_strategy",
    "DROP TABLE bots",
  ]

  /// Indexes for a bot that requests its open assignments, independent of the number of others, and
  /// for counting schedules by state without reading their definitions.
  static let openWork: [StaticString] = [
    "CREATE INDEX assignments_open_bot ON assignments (bot, id) WHERE ended IS NULL",
    "CREATE INDEX schedules_state ON schedules (state)",
  ]

  static let withoutOpenWork: [StaticString] = [
    "DROP INDEX schedules_state", "DROP INDEX assignments_open_bot",
  ]
}
