/// The claims: one narrow row for each attempt that the host runs.
///
/// The row of a task is wide, and each change of its state changes indexes. Therefore, the beginning
/// of an attempt adds a claim, and leaves the task's row `queued` as it is; the end removes the
/// claim and changes the row once. Statements that may find a claimed task read the view
/// `task_rows`, in which such a task is `running` (docs/decisions/0021).
extension SQLiteSchema {
  static let claims: [StaticString] = [
    """
    CREATE TABLE task_claims (
      task INTEGER PRIMARY KEY,
      version INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      owner TEXT NOT NULL,
      started INTEGER NOT NULL,
      line BLOB NOT NULL
    ) STRICT
    """,
    // The columns of `tasks` in their order, and after them the stored state, which has the index.
    // A migration that adds a column to `tasks` also creates this view anew.
    """
    CREATE VIEW task_rows AS SELECT
      id, coalesce(task_claims.version, tasks.version) AS version, name, type,
      iif(task IS NULL, state, 'running') AS state, priority, queue_key, rank, created,
      coalesce(task_claims.started, updated) AS updated, asked, cancelling, run_at, due, wake,
      coalesce(task_claims.attempt, tasks.attempt) AS attempt, failures,
      coalesce(task_claims.owner, tasks.owner) AS owner, bot,
      coalesce(task_claims.started, tasks.started) AS started, finished, unique_key, parent, batch,
      schedule, definition, progress, result,
      iif(task IS NULL, history, CAST(history || line AS BLOB)) AS history, lost, host_ends,
      escalate_at, creator, state AS stored_state
    FROM tasks LEFT JOIN task_claims ON task = id
    """,
  ]

  static let withoutClaims: [StaticString] = [
    """
    UPDATE tasks SET (version, state, updated, attempt, owner, started, history) =
      (SELECT version, state, updated, attempt, owner, started, history FROM task_rows
       WHERE task_rows.id = tasks.id)
    WHERE id IN (SELECT task FROM task_claims)
    """,
    "DROP VIEW task_rows", "DROP TABLE task_claims",
  ]
}
