/// The statements of ``SQLiteTaskList``, which gives them all the same values. Each names all of
/// them, because SQLite refuses a value for a parameter that the text lacks.
///
/// All but ``sorted`` give the newest first, each with whether it is chosen, and have no LIMIT:
/// ``SQLiteTaskList`` counts how many it looks at.
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

  /// The tasks in another order than by number downwards. The filter runs before the sort.
  /// CROSS JOIN makes SQLite read in the order in which the tables are named.
  static let sorted: StaticString = """
    WITH chosen (id) AS (
      SELECT id FROM tasks WHERE ?13 = 'batch' AND batch = ?4
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'parent' AND parent = ?5
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'schedule' AND schedule = ?6
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'bot' AND bot = ?3
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'open' AND finished IS NULL
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'trouble' AND state IN ('failed', 'dead')
      UNION ALL SELECT id FROM tasks WHERE ?13 = 'all'),
    shown (id, place) AS (
      SELECT tasks.id, row_number() OVER (ORDER BY
        CASE WHEN ?9 = 'due' THEN due IS NULL END,
        CASE WHEN ?9 = 'name' AND NOT ?10 THEN name END,
        CASE WHEN ?9 = 'name' AND ?10 THEN name END DESC,
        CASE ?9 WHEN 'updated' THEN updated WHEN 'priority' THEN priority WHEN 'due' THEN due
          ELSE 0 END * iif(?10, -1, 1),
        tasks.id * iif(?10, -1, 1))
      FROM chosen CROSS JOIN tasks ON tasks.id = chosen.id
      WHERE tasks.id < ?14 AND (?15 IS NULL OR ?15 IS NOT NULL)
      AND (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
      AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
      AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
      AND (?7 IS NULL OR EXISTS (SELECT 1
        FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
      AND (?8 IS NULL OR instr(lower(name), lower(?8))
        OR instr(lower(CAST(definition AS TEXT)), lower(?8))))
    SELECT tasks.* FROM shown CROSS JOIN tasks ON tasks.id = shown.id
    ORDER BY place LIMIT ?11 OFFSET ?12
    """
}
