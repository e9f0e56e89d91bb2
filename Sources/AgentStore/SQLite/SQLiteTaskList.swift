/// Tasks of a selection: which statement finds them, and with which values.
struct SQLiteTaskList {
  private let session: SQLiteSession
  private let selection: TaskSelection

  init(_ session: SQLiteSession, _ selection: TaskSelection) {
    self.session = session
    self.selection = selection
  }

  func rows() throws(StoreError) -> [TaskRow] {
    let statement = try statement()
    defer { statement.reset() }
    try statement.bind(values)
    var rows: [TaskRow] = []
    while try statement.step() { rows.append(SQLiteTaskReader.row(statement)) }
    return rows
  }

  private static let trouble: Set<TaskRow.State> = [.failed, .dead]
  private static let ended: Set<TaskRow.State> = [.failed, .dead, .succeeded, .cancelled]

  /// Those with the index that leaves out most: what has not ended, what has failed, all.
  private var choice: String {
    guard let states = selection.states, !states.isEmpty else { return "all" }
    if states.isDisjoint(with: Self.ended) { return "open" }
    return states.isSubset(of: Self.trouble) ? "trouble" : "all"
  }

  private func statement() throws(StoreError) -> SQLiteStatement {
    let isPlain = selection.order == .created && selection.isDescending && choice == "all"
    return try session.statement(isPlain ? Self.newest : Self.sorted)
  }

  private var values: [SQLiteValue] {
    let states = selection.states.map { states in
      "[" + states.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
    }
    return [
      .optional(states), .optional(selection.type), .optional(selection.bot),
      .optional(selection.batch), .optional(selection.parent), .optional(selection.schedule),
      .optional(selection.tag), .optional(selection.text), .text(selection.order.rawValue),
      .integer(selection.isDescending ? 1 : 0), .integer(Int64(max(0, selection.limit))),
      .integer(Int64(max(0, selection.offset))), .text(choice), .optional(selection.before),
    ]
  }

  private static let newest: StaticString = """
    SELECT * FROM tasks
    WHERE (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
      AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
      AND (?14 IS NULL OR id < ?14) AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
      AND (?7 IS NULL OR EXISTS (SELECT 1
        FROM json_each(CAST(definition AS TEXT), '$.tags') WHERE value = ?7))
      AND (?8 IS NULL OR instr(lower(name), lower(?8))
        OR instr(lower(CAST(definition AS TEXT)), lower(?8)))
      AND ?9 IS NOT NULL AND ?10 IS NOT NULL AND ?13 = 'all'
    ORDER BY id DESC LIMIT ?11 OFFSET ?12
    """

  /// What the name of an index leaves out is left out before anything is compared.
  private static let sorted: StaticString = """
    WITH chosen AS (
      SELECT * FROM tasks WHERE ?13 = 'open' AND finished IS NULL
      UNION ALL SELECT * FROM tasks WHERE ?13 = 'trouble' AND state IN ('failed', 'dead')
      UNION ALL SELECT * FROM tasks WHERE ?13 = 'all')
    SELECT * FROM chosen
    WHERE (?1 IS NULL OR state IN (SELECT value FROM json_each(?1)))
      AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR bot = ?3) AND (?4 IS NULL OR batch = ?4)
      AND (?14 IS NULL OR id < ?14) AND (?5 IS NULL OR parent = ?5) AND (?6 IS NULL OR schedule = ?6)
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
      id * iif(?10, -1, 1)
    LIMIT ?11 OFFSET ?12
    """
}
