/// The tables of schedules and of their fire times.
///
/// A schedule's number is never reused, because tasks refer to it. The index `schedules_wake` gives
/// the next fire time, so the scheduler keeps nothing in memory. The index `tasks_of_schedules`
/// finds overlapping runs.
extension SQLiteSchema {
  static let schedules: [StaticString] = [
    """
    CREATE TABLE schedules (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL,
      source TEXT,
      definition BLOB NOT NULL,
      handled INTEGER NOT NULL,
      next INTEGER,
      wake INTEGER,
      created INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      version INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE schedule_sequence (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      removed INTEGER NOT NULL
    ) STRICT
    """,
    "INSERT INTO schedule_sequence (id, removed) VALUES (1, 0)",
    "CREATE INDEX schedules_wake ON schedules (wake) WHERE wake IS NOT NULL",
    """
    CREATE TABLE schedule_fires (
      schedule INTEGER NOT NULL,
      fire_time INTEGER NOT NULL,
      decided INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      task INTEGER,
      note TEXT,
      PRIMARY KEY (schedule, fire_time)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE INDEX tasks_of_schedules ON tasks (schedule, id)
      WHERE schedule IS NOT NULL AND finished IS NULL
    """,
  ]

  static let withoutSchedules: [StaticString] = [
    "DROP INDEX tasks_of_schedules", "DROP TABLE schedule_fires", "DROP TABLE schedule_sequence",
    "DROP TABLE schedules",
  ]
}
