/// The statements of ``SQLiteTaskList``, which binds the same values to all of them. Each contains
/// all parameters, because SQLite refuses a value for a missing parameter.
///
/// The statements for the newest and the oldest tasks return every task with a column that shows
/// whether it matches. They have no LIMIT, because ``SQLiteTaskList`` counts the examined tasks.
///
/// Rationale: there are ten texts that differ in one line, because a `StaticString` can't be
/// composed, and a single text with `OR` would use none of the indexes.
enum SQLiteTaskStatements {
  /// The tasks of a batch, by the index `tasks_batch`.
  static let ofBatch: StaticString = """
    SELECT *,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL AND ?12 IS NOT NULL
        AND ?13 IS NOT NULL AND (?15 IS NULL OR ?15 IS NOT NULL)
    FROM task_rows WHERE batch = ?4 AND id < ?14 ORDER BY id DESC
    """

  /// The children of a task, by the index `tasks_parent`.
  static let ofParent: StaticString = """
    SELECT *,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL AND ?12 IS NOT NULL
        AND ?13 IS NOT NULL AND (?15 IS NULL OR ?15 IS NOT NULL)
    FROM task_rows WHERE parent = ?5 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks of a schedule, by the index `tasks_schedule`.
  static let ofSchedule: StaticString = """
    SELECT *,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL AND ?12 IS NOT NULL
        AND ?13 IS NOT NULL AND (?15 IS NULL OR ?15 IS NOT NULL)
    FROM task_rows WHERE schedule = ?6 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks of a bot, by the index `tasks_bot`.
  static let ofBot: StaticString = """
    SELECT *,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL AND ?12 IS NOT NULL
        AND ?13 IS NOT NULL AND (?15 IS NULL OR ?15 IS NOT NULL)
    FROM task_rows WHERE bot = ?3 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks of a type, by the index `tasks_type`.
  static let ofType: StaticString = """
    SELECT *,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL AND ?12 IS NOT NULL
        AND ?13 IS NOT NULL AND (?15 IS NULL OR ?15 IS NOT NULL)
    FROM task_rows WHERE type = ?2 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks in one open state, by the index `tasks_open`.
  static let ofOpenState: StaticString = """
    SELECT *,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL AND ?12 IS NOT NULL
        AND ?13 IS NOT NULL AND (?15 IS NULL OR ?15 IS NOT NULL)
    FROM task_rows WHERE finished IS NULL AND stored_state = ?15 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks that the host runs, by their claims.
  static let ofClaims: StaticString = """
    SELECT *,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL AND ?12 IS NOT NULL
        AND ?13 IS NOT NULL AND (?15 IS NULL OR ?15 IS NOT NULL)
    FROM task_rows WHERE id IN (SELECT task FROM task_claims) AND id < ?14 ORDER BY id DESC
    """

  /// The tasks in one ended state, by the index `tasks_ended`.
  static let ofEndedState: StaticString = """
    SELECT *,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL AND ?12 IS NOT NULL
        AND ?13 IS NOT NULL AND (?15 IS NULL OR ?15 IS NOT NULL)
    FROM task_rows WHERE finished IS NOT NULL AND stored_state = ?15 AND id < ?14 ORDER BY id DESC
    """

  /// The failed and dead tasks, by the index `tasks_trouble`, which contains both states in the
  /// order of the numbers.
  static let inTrouble: StaticString = """
    SELECT *,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL AND ?12 IS NOT NULL
        AND ?13 IS NOT NULL AND (?15 IS NULL OR ?15 IS NOT NULL)
    FROM task_rows WHERE stored_state IN ('failed', 'dead') AND id < ?14 ORDER BY id DESC
    """

  /// All tasks, by the primary key.
  static let newest: StaticString = """
    SELECT *,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL AND ?12 IS NOT NULL
        AND ?13 IS NOT NULL AND (?15 IS NULL OR ?15 IS NOT NULL)
    FROM task_rows WHERE 1 AND id < ?14 ORDER BY id DESC
    """

  // MARK: Other orders

  // The branches are those of `SQLiteTaskList.Choice`. At most one of them returns rows, because
  // each compares the chosen condition before it reads.

  /// The number of tasks that match the condition of an index, counted up to ?8. It has other
  /// parameters than the statements above.
  static let chosen: StaticString = """
    WITH chosen (id) AS (
      SELECT id FROM tasks WHERE ?7 = 'batch' AND batch = ?4
      UNION ALL SELECT id FROM tasks WHERE ?7 = 'parent' AND parent = ?5
      UNION ALL SELECT id FROM tasks WHERE ?7 = 'schedule' AND schedule = ?6
      UNION ALL SELECT id FROM tasks WHERE ?7 = 'bot' AND bot = ?3
      UNION ALL SELECT id FROM tasks WHERE ?7 = 'type' AND type = ?2
      UNION ALL SELECT id FROM tasks WHERE ?7 = 'states' AND finished IS NULL
        AND state IN (SELECT value FROM json_each(?1))
      UNION ALL SELECT id FROM tasks WHERE ?7 = 'states' AND finished IS NOT NULL
        AND state IN (SELECT value FROM json_each(?1))
      UNION ALL SELECT task FROM task_claims WHERE ?7 = 'states'
        AND 'running' IN (SELECT value FROM json_each(?1))
        AND 'queued' NOT IN (SELECT value FROM json_each(?1))
      UNION ALL SELECT id FROM tasks WHERE ?7 = 'trouble' AND state IN ('failed', 'dead')
      UNION ALL SELECT id FROM tasks WHERE ?7 = 'all'
      LIMIT ?8)
    SELECT count(*) FROM chosen
    """

  /// The numbers of the tasks of a page that is sorted by a key. The filter runs before the sort.
  /// While it sorts, SQLite keeps only the tasks up to the end of the page. CROSS JOIN makes SQLite
  /// read the tables in this order.
  static let sorted: StaticString = """
    WITH chosen (id) AS (
      SELECT id FROM tasks WHERE ?13 = 'batch' AND batch = ?4
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'parent' AND parent = ?5
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'schedule' AND schedule = ?6
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'bot' AND bot = ?3
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'type' AND type = ?2
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'states' AND finished IS NULL
        AND state IN (SELECT value FROM json_each(?1))
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'states' AND finished IS NOT NULL
        AND state IN (SELECT value FROM json_each(?1))
      UNION ALL SELECT task FROM task_claims WHERE ?13 = 'states'
        AND 'running' IN (SELECT value FROM json_each(?1))
        AND 'queued' NOT IN (SELECT value FROM json_each(?1))
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'trouble' AND state IN ('failed', 'dead')
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'all')
    SELECT tasks.id FROM chosen CROSS JOIN tasks ON tasks.id = chosen.id
      LEFT JOIN task_claims ON task = tasks.id
    WHERE tasks.id < ?14 AND (?15 IS NULL OR ?15 IS NOT NULL)
      AND (?1 IS NULL
        OR iif(task IS NULL, state, 'running') IN (SELECT value FROM json_each(?1)))
      AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
      AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
      AND (?7 IS NULL OR EXISTS (SELECT 1
        FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
      AND (?8 IS NULL OR instr(lower(name), lower(?8))
        OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
    ORDER BY
      CASE WHEN ?9 = 'due' THEN due IS NULL END,
      CASE WHEN ?9 = 'name' AND NOT ?10 THEN name END,
      CASE WHEN ?9 = 'name' AND ?10 THEN name END DESC,
      CASE ?9 WHEN 'updated' THEN coalesce(task_claims.started, updated)
        WHEN 'priority' THEN priority WHEN 'due' THEN due ELSE 0 END * iif(?10, -1, 1),
      tasks.id * iif(?10, -1, 1)
    LIMIT ?11 OFFSET ?12
    """

  /// The oldest tasks, each with a column that shows whether it matches. Each branch has an index
  /// with ascending numbers, and SQLite merges them without sorting. LIMIT keeps the order of the
  /// inner statement, which SQLite could omit otherwise.
  static let oldest: StaticString = """
    WITH chosen (id) AS (
      SELECT id FROM tasks WHERE ?13 = 'batch' AND batch = ?4
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'parent' AND parent = ?5
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'schedule' AND schedule = ?6
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'bot' AND bot = ?3
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'type' AND type = ?2
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'state' AND finished IS NULL AND state = ?15
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'state' AND finished IS NOT NULL AND state = ?15
      UNION ALL SELECT task FROM task_claims WHERE ?13 = 'state' AND ?15 = 'running'
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'trouble' AND state IN ('failed', 'dead')
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'all'
      ORDER BY id LIMIT -1)
    SELECT task_rows.*,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND task_rows.id < ?14 AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL
        AND ?12 IS NOT NULL
    FROM chosen CROSS JOIN task_rows ON task_rows.id = chosen.id
    """
}
