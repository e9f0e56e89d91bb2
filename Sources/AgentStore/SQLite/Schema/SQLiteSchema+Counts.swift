/// The numbers of tasks by type and of assignments by bot. A type without tasks and a bot without
/// assignments have no rows. Otherwise, the tables would grow with every former type and bot.
extension SQLiteSchema {
  static let fewerCounts: [StaticString] = [
    "DROP TRIGGER assignments_delete",
    // A state without assignments keeps its row while the bot has others: at most seven rows.
    """
    CREATE TRIGGER assignments_delete AFTER DELETE ON assignments BEGIN
      UPDATE assignment_figures SET count = count - 1,
        duration = duration - coalesce(old.ended - coalesce(old.accepted, old.created), 0)
      WHERE bot = old.bot AND state = old.state;
      DELETE FROM assignment_figures WHERE bot = old.bot
        AND NOT EXISTS (SELECT 1 FROM assignment_figures WHERE bot = old.bot AND count > 0);
    END
    """,
    // What former versions have left.
    "DELETE FROM assignment_figures WHERE count <= 0",
    "DELETE FROM task_counts WHERE count <= 0",
  ]

  static let withoutFewerCounts: [StaticString] = [
    "DROP TRIGGER assignments_delete",
    """
    CREATE TRIGGER assignments_delete AFTER DELETE ON assignments BEGIN
      UPDATE assignment_figures SET count = count - 1,
        duration = duration - coalesce(old.ended - coalesce(old.accepted, old.created), 0)
      WHERE bot = old.bot AND state = old.state;
      DELETE FROM assignment_figures WHERE bot = old.bot AND state = old.state AND count <= 0;
    END
    """,
  ]

  /// The bytes of ended tasks, logs and artifacts, as sums, and the order in which tasks ended.
  static let taskSizes: [StaticString] = [
    """
    CREATE TABLE task_sizes (
      kind TEXT PRIMARY KEY,
      bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    // The sums for a file of a former version. After that, `SQLiteTasks.flush` updates them. The
    // rows always exist, so writes only need an update.
    """
    INSERT INTO task_sizes
    SELECT 'ended', coalesce(sum(length(definition) + length(history)
      + coalesce(length(progress), 0) + coalesce(length(result), 0)), 0)
    FROM tasks WHERE finished IS NOT NULL
    """,
    """
    INSERT INTO task_sizes
    SELECT 'logs', coalesce(sum(length(CAST(text AS BLOB))), 0) FROM task_logs
    """,
    "INSERT INTO task_sizes SELECT 'artifacts', coalesce(sum(size), 0) FROM task_artifacts",
    "CREATE INDEX tasks_finished ON tasks (finished) WHERE finished IS NOT NULL",
  ]

  static let withoutTaskSizes: [StaticString] = [
    "DROP INDEX tasks_finished", "DROP TABLE task_sizes",
  ]

  /// A timestamp that no event of a type exceeds, so that the newest events are found without a
  /// search in each type. A removal doesn't lower it.
  static let newestEvents: [StaticString] = [
    """
    ALTER TABLE event_types ADD COLUMN newest INTEGER NOT NULL DEFAULT -9223372036854775808
    """,
    """
    UPDATE event_types SET newest =
      coalesce((SELECT max(timestamp) FROM events WHERE type = id), newest)
    """,
    "CREATE INDEX event_types_by_newest ON event_types (newest)",
  ]

  static let withoutNewestEvents: [StaticString] = [
    "DROP INDEX event_types_by_newest", "ALTER TABLE event_types DROP COLUMN newest",
  ]

  /// The sums of `assignment_figures` over all bots, of which there may be many. Triggers keep them
  /// as they keep the numbers of each bot.
  static let assignmentTotals: [StaticString] = [
    """
    CREATE TABLE assignment_totals (
      state TEXT PRIMARY KEY,
      count INTEGER NOT NULL,
      duration INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    """
    INSERT INTO assignment_totals
    SELECT state, sum(count), sum(duration) FROM assignment_figures GROUP BY state
    """,
    """
    CREATE TRIGGER assignment_figures_insert AFTER INSERT ON assignment_figures BEGIN
      INSERT INTO assignment_totals VALUES (new.state, new.count, new.duration)
      ON CONFLICT (state) DO UPDATE SET count = count + excluded.count,
        duration = duration + excluded.duration;
    END
    """,
    // A row is deleted only when its count is 0, so a deletion changes no sum. Its state and its bot
    // never change.
    """
    CREATE TRIGGER assignment_figures_update AFTER UPDATE OF count, duration
    ON assignment_figures BEGIN
      UPDATE assignment_totals SET count = count + new.count - old.count,
        duration = duration + new.duration - old.duration
      WHERE state = new.state;
    END
    """,
  ]

  static let withoutAssignmentTotals: [StaticString] = [
    "DROP TRIGGER assignment_figures_update", "DROP TRIGGER assignment_figures_insert",
    "DROP TABLE assignment_totals",
  ]
}
