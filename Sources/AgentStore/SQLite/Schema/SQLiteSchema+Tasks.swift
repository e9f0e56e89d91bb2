/// The tables of tasks and of the rows that belong to them.
///
/// A transition changes few indexes, because most rows are in none: `tasks_queued` has the order of
/// the queues, `tasks_open` the open tasks, `tasks_wake` the tasks with a deadline. The counts by
/// type and state are stored separately, so that a count needs no scan. A task's history is in its
/// row, because it is written with each change.
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
      queue_key TEXT NOT NULL,
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
    "CREATE INDEX tasks_queued ON tasks (queue_key, rank) WHERE state = 'queued'",
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
    // The greatest removed number, because the number of a task is never reused.
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
    CREATE TABLE task_artifacts (
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
    "DROP TABLE task_batches", "DROP TABLE task_artifacts", "DROP TABLE task_logs",
    "DROP TABLE task_sequence", "DROP TABLE task_counts", "DROP TABLE tasks",
  ]

  /// Lost attempts have their own count, because the number of attempts also grows when a task is
  /// queued again after a regular end.
  static let lostAttempts: [StaticString] = [
    "ALTER TABLE tasks ADD COLUMN lost INTEGER NOT NULL DEFAULT 0"
  ]

  /// A single row with the values of the wall clock and the steady clock at the same time.
  static let clockMark: [StaticString] = [
    """
    CREATE TABLE clock_mark (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      boot TEXT NOT NULL,
      wall INTEGER NOT NULL,
      steady INTEGER NOT NULL
    ) STRICT
    """
  ]

  static let withoutClockMark: [StaticString] = ["DROP TABLE clock_mark"]

  static let withoutLostAttempts: [StaticString] = ["ALTER TABLE tasks DROP COLUMN lost"]

  /// Indexes for the rows that are read at a start, at the loss of a bot and for escalations.
  /// Triggers count a bot's assignments and sum up their durations.
  static let taskCare: [StaticString] = [
    "ALTER TABLE tasks ADD COLUMN host_ends INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE tasks ADD COLUMN escalate_at INTEGER",
    "ALTER TABLE task_artifacts ADD COLUMN file TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX tasks_suspect ON tasks (id) WHERE finished IS NULL AND host_ends > 0",
    "CREATE INDEX tasks_escalate ON tasks (escalate_at) WHERE escalate_at IS NOT NULL",
    "CREATE INDEX tasks_of_bots ON tasks (bot, id) WHERE bot IS NOT NULL AND finished IS NULL",
    // The time of the next step isn't known here. With a time in the past, the engine examines each
    // of these tasks once and stores the right time.
    """
    UPDATE tasks SET escalate_at = 0
    WHERE finished IS NULL AND instr(CAST(definition AS TEXT), '"escalation"') > 0
    """,
    """
    CREATE TABLE assignment_figures (
      bot TEXT NOT NULL,
      state TEXT NOT NULL,
      count INTEGER NOT NULL,
      duration INTEGER NOT NULL,
      PRIMARY KEY (bot, state)
    ) STRICT, WITHOUT ROWID
    """,
    """
    INSERT INTO assignment_figures
    SELECT bot, state, count(*), coalesce(sum(ended - coalesce(accepted, created)), 0)
    FROM assignments GROUP BY bot, state
    """,
    """
    CREATE TRIGGER assignments_insert AFTER INSERT ON assignments BEGIN
      INSERT INTO assignment_figures VALUES (new.bot, new.state, 1,
        coalesce(new.ended - coalesce(new.accepted, new.created), 0))
      ON CONFLICT (bot, state) DO UPDATE SET count = count + 1,
        duration = duration + excluded.duration;
    END
    """,
    """
    CREATE TRIGGER assignments_update AFTER UPDATE OF state, accepted, ended ON assignments BEGIN
      UPDATE assignment_figures SET count = count - 1,
        duration = duration - coalesce(old.ended - coalesce(old.accepted, old.created), 0)
      WHERE bot = old.bot AND state = old.state;
      INSERT INTO assignment_figures VALUES (new.bot, new.state, 1,
        coalesce(new.ended - coalesce(new.accepted, new.created), 0))
      ON CONFLICT (bot, state) DO UPDATE SET count = count + 1,
        duration = duration + excluded.duration;
    END
    """,
    """
    CREATE TRIGGER assignments_delete AFTER DELETE ON assignments BEGIN
      UPDATE assignment_figures SET count = count - 1,
        duration = duration - coalesce(old.ended - coalesce(old.accepted, old.created), 0)
      WHERE bot = old.bot AND state = old.state;
      DELETE FROM assignment_figures WHERE bot = old.bot AND state = old.state AND count <= 0;
    END
    """,
  ]

  static let withoutTaskCare: [StaticString] = [
    "DROP TRIGGER assignments_delete", "DROP TRIGGER assignments_update",
    "DROP TRIGGER assignments_insert", "DROP TABLE assignment_figures",
    "DROP INDEX tasks_of_bots", "DROP INDEX tasks_escalate", "DROP INDEX tasks_suspect",
    "ALTER TABLE task_artifacts DROP COLUMN file", "ALTER TABLE tasks DROP COLUMN escalate_at",
    "ALTER TABLE tasks DROP COLUMN host_ends",
  ]

  /// Indexes for the conditions of task lists, so that the cost of a page doesn't depend on the
  /// number of tasks. A task enters `tasks_ended` once, when it ends. The totals of all types are
  /// stored in addition to the counts by type.
  static let taskLists: [StaticString] = [
    "CREATE INDEX tasks_type ON tasks (type, id)",
    "CREATE INDEX tasks_ended ON tasks (state, id) WHERE finished IS NOT NULL",
    """
    CREATE TABLE task_totals (
      state TEXT PRIMARY KEY,
      count INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX task_escalations_last ON task_escalations (last)",
    // The sums for a file of a former version. After that, `SQLiteTasks.flush` updates them.
    "INSERT INTO task_totals SELECT state, sum(count) FROM task_counts GROUP BY state",
  ]

  /// The total size of open tasks' definitions by creator. The key "" has the sum of all. Open
  /// tasks of a former version count only in that sum.
  static let taskBytes: [StaticString] = [
    "ALTER TABLE tasks ADD COLUMN creator TEXT",
    """
    CREATE TABLE task_bytes (
      owner TEXT PRIMARY KEY,
      bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    """
    INSERT INTO task_bytes
    SELECT '', coalesce(sum(length(definition)), 0) FROM tasks WHERE finished IS NULL
    """,
  ]

  static let withoutTaskBytes: [StaticString] = [
    "DROP TABLE task_bytes", "ALTER TABLE tasks DROP COLUMN creator",
  ]

  static let withoutTaskLists: [StaticString] = [
    "DROP INDEX task_escalations_last", "DROP TABLE task_totals", "DROP INDEX tasks_ended",
    "DROP INDEX tasks_type",
  ]
}
