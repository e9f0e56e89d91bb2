/// The statements of ``SQLiteTaskList``, which gives them all the same values. Each names all of
/// them, because SQLite refuses a value for a parameter that the text lacks.
///
/// Those for the newest and the oldest tasks give each with whether it is chosen, and have no LIMIT
/// of their own: ``SQLiteTaskList`` counts how many it looks at.
///
/// Rationale: nine texts that differ in one line, because a `StaticString` can't be put together,
/// and one text with `OR` would use none of the indexes.
enum SQLiteTaskStatements {
  /// The tasks of a batch, by `tasks_batch`.
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
    FROM tasks WHERE batch = ?4 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks that belong to a task, by `tasks_parent`.
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
    FROM tasks WHERE parent = ?5 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks of a schedule, by `tasks_schedule`.
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
    FROM tasks WHERE schedule = ?6 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks of a bot, by `tasks_bot`.
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
    FROM tasks WHERE bot = ?3 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks of a type, by `tasks_type`.
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
    FROM tasks WHERE type = ?2 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks in one state that isn't an end, by `tasks_open`.
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
    FROM tasks WHERE finished IS NULL AND state = ?15 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks in one state that is an end, by `tasks_ended`.
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
    FROM tasks WHERE finished IS NOT NULL AND state = ?15 AND id < ?14 ORDER BY id DESC
    """

  /// The tasks that are failed or dead, by `tasks_trouble`, which has both states in the order of
  /// their numbers.
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
    FROM tasks WHERE state IN ('failed', 'dead') AND id < ?14 ORDER BY id DESC
    """

  /// All tasks, by number.
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
    FROM tasks WHERE 1 AND id < ?14 ORDER BY id DESC
    """

  // MARK: Other orders

  // The branches are those of `SQLiteTaskList.Choice`. At most one of them gives anything, because
  // each asks which choice was made before it reads.

  /// How many tasks are chosen by an index, counted up to ?8. It has parameters of its own.
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
      UNION ALL SELECT id FROM tasks WHERE ?7 = 'trouble' AND state IN ('failed', 'dead')
      UNION ALL SELECT id FROM tasks WHERE ?7 = 'all'
      LIMIT ?8)
    SELECT count(*) FROM chosen
    """

  /// The numbers of the tasks of a page that is sorted by a key. The filter runs before the sort,
  /// and SQLite keeps only the tasks up to the end of the page while it sorts. CROSS JOIN makes
  /// SQLite read in the order in which the tables are named.
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
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'trouble' AND state IN ('failed', 'dead')
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'all')
    SELECT tasks.id FROM chosen CROSS JOIN tasks ON tasks.id = chosen.id
    WHERE tasks.id < ?14 AND (?15 IS NULL OR ?15 IS NOT NULL)
      AND (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
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
      CASE ?9 WHEN 'updated' THEN updated WHEN 'priority' THEN priority WHEN 'due' THEN due
        ELSE 0 END * iif(?10, -1, 1),
      tasks.id * iif(?10, -1, 1)
    LIMIT ?11 OFFSET ?12
    """

  /// The oldest tasks first, each with whether it is chosen. Each branch has an index that gives
  /// the numbers upwards, and SQLite merges them without sorting. LIMIT keeps the order of the
  /// inner statement, which SQLite could drop otherwise.
  static let oldest: StaticString = """
    WITH chosen (id) AS (
      SELECT id FROM tasks WHERE ?13 = 'batch' AND batch = ?4
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'parent' AND parent = ?5
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'schedule' AND schedule = ?6
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'bot' AND bot = ?3
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'type' AND type = ?2
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'state' AND finished IS NULL AND state = ?15
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'state' AND finished IS NOT NULL AND state = ?15
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'trouble' AND state IN ('failed', 'dead')
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'all'
      ORDER BY id LIMIT -1)
    SELECT tasks.*,
      (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
        AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1
          FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
        AND (?8 IS NULL OR instr(lower(name), lower(?8))
          OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
        AND tasks.id < ?14 AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?11 IS NOT NULL
        AND ?12 IS NOT NULL
    FROM chosen CROSS JOIN tasks ON tasks.id = chosen.id
    """
}
