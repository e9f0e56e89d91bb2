/// Reads and writes assignments on one connection.
final class SQLiteAssignments: AssignmentStorage {
  private let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  // MARK: Reading

  func assignment(_ id: Int64) throws(StoreError) -> AssignmentRow? {
    try session.first("SELECT * FROM assignments WHERE id = ?", .integer(id), row: Self.row)
  }

  func assignment(task: Int64, attempt: Int64) throws(StoreError) -> AssignmentRow? {
    try session.first(
      "SELECT * FROM assignments WHERE task = ? AND attempt = ?", .integer(task),
      .integer(attempt), row: Self.row)
  }

  func page(_ selection: AssignmentSelection) throws(StoreError) -> AssignmentPage {
    let statement = try session.statement(Self.statement(selection))
    defer { statement.reset() }
    // The states are a JSON list for `json_each`, because the text of a statement is constant and
    // can't have a parameter for each state.
    let states = selection.states.map { states in
      "[" + states.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
    }
    try statement.bind([
      .integer(selection.before ?? .max), .optional(states), .optional(selection.bot),
      .optional(selection.task),
    ])
    var page = AssignmentPage(rows: [], before: nil)
    var looked = 0
    var bytesLeft = selection.maxBytes
    while page.rows.count < max(0, selection.limit), looked < selection.look, bytesLeft > 0 {
      guard try statement.step() else { return AssignmentPage(rows: page.rows, before: nil) }
      looked += 1
      page.before = statement.integer(0)
      // Column 14 of an assignment shows whether it matches. The statement returns all assignments,
      // so that the examined ones can be counted.
      guard statement.integer(14) != 0 else { continue }
      let row = Self.row(statement, omitsTexts: selection.omitsTexts)
      page.rows.append(row)
      bytesLeft -= min(bytesLeft, row.bytes)
    }
    return page
  }

  func offers(to bot: String, after id: Int64, limit: Int) throws(StoreError) -> [Int64] {
    var offers: [Int64] = []
    try session.each(
      """
      SELECT id FROM assignments WHERE ended IS NULL AND id > ? AND bot = ? AND state = 'pending'
      ORDER BY id LIMIT ?
      """, .integer(id), .text(bot), .integer(Int64(limit))
    ) { row throws(StoreError) in offers.append(row.integer(0)) }
    return offers
  }

  /// Returns the statement whose index excludes the most rows.
  private static func statement(_ selection: AssignmentSelection) -> StaticString {
    if selection.task != nil { return ofTask }
    // Few assignments are open, so their indexes are small.
    if let states = selection.states, states.allSatisfy({ !$0.isEnded }) {
      return selection.bot == nil ? open : openOfBot
    }
    return selection.bot == nil ? all : ofBot
  }

  // Each statement contains all four parameters, because all are bound to the same values and
  // SQLite refuses a value for a missing parameter. Statements without a task contain `?4 IS NULL`.
  private static let ofTask: StaticString = """
    SELECT *, (?3 IS NULL OR bot = ?3)
      AND (?2 IS NULL OR state IN (SELECT value FROM json_each(?2)))
    FROM assignments WHERE task = ?4 AND id < ?1 ORDER BY id DESC
    """

  private static let open: StaticString = """
    SELECT *, ?2 IS NULL OR state IN (SELECT value FROM json_each(?2))
    FROM assignments WHERE ended IS NULL AND id < ?1 AND ?3 IS NULL AND ?4 IS NULL
    ORDER BY id DESC
    """

  private static let openOfBot: StaticString = """
    SELECT *, ?2 IS NULL OR state IN (SELECT value FROM json_each(?2))
    FROM assignments WHERE ended IS NULL AND bot = ?3 AND id < ?1 AND ?4 IS NULL
    ORDER BY id DESC
    """

  private static let ofBot: StaticString = """
    SELECT *, ?2 IS NULL OR state IN (SELECT value FROM json_each(?2))
    FROM assignments WHERE bot = ?3 AND id < ?1 AND ?4 IS NULL ORDER BY id DESC
    """

  private static let all: StaticString = """
    SELECT *, ?2 IS NULL OR state IN (SELECT value FROM json_each(?2))
    FROM assignments WHERE id < ?1 AND ?3 IS NULL AND ?4 IS NULL ORDER BY id DESC
    """

  func openAssignments() throws(StoreError) -> [AssignmentRow] {
    var rows: [AssignmentRow] = []
    try session.each("SELECT * FROM assignments WHERE ended IS NULL ORDER BY id") {
      row throws(StoreError) in rows.append(Self.row(row))
    }
    return rows
  }

  func statistics(bot: String?) throws(StoreError) -> [AssignmentStatistics] {
    var statistics: [AssignmentStatistics] = []
    let statement = try session.statement(bot == nil ? Self.statisticsOfAll : Self.statisticsOfBot)
    defer { statement.reset() }
    try statement.bind(bot.map { [.text($0)] } ?? [])
    while try statement.step() {
      guard let state = AssignmentRow.State(rawValue: statement.text(0)) else { continue }
      statistics.append(
        AssignmentStatistics(
          state: state, count: statement.integer(1), duration: statement.integer(2)))
    }
    return statistics
  }

  // Triggers on `assignments` update these numbers, so that statistics need no scan.
  private static let statisticsOfAll: StaticString = """
    SELECT state, count, duration FROM assignment_totals WHERE count > 0
    """

  private static let statisticsOfBot: StaticString = """
    SELECT state, count, duration FROM assignment_figures WHERE bot = ? AND count > 0
    """

  func escalations(of task: Int64) throws(StoreError) -> [EscalationRow] {
    var rows: [EscalationRow] = []
    try session.each(
      "SELECT step, count, last FROM task_escalations WHERE task = ? ORDER BY step",
      .integer(task)
    ) { row throws(StoreError) in
      rows.append(
        EscalationRow(
          task: task, step: row.integer(0), count: row.integer(1), last: row.integer(2)))
    }
    return rows
  }

  func escalations(step: Int64) throws(StoreError) -> [EscalationRow] {
    var rows: [EscalationRow] = []
    try session.each(
      "SELECT task, count, last FROM task_escalations WHERE step = ?", .integer(step)
    ) { row throws(StoreError) in
      rows.append(
        EscalationRow(
          task: row.integer(0), step: step, count: row.integer(1), last: row.integer(2)))
    }
    return rows
  }

  // MARK: Writing

  func insert(_ assignment: AssignmentRow) throws(StoreError) -> Int64 {
    // The unique index on task and attempt refuses a second assignment of a lease.
    let id = try session.first(
      """
      INSERT INTO assignments (task, attempt, bot, state, strategy, capability, decision, waited,
        created, accepted, ended, result, note)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING RETURNING id
      """,
      .integer(assignment.task), .integer(assignment.attempt), .text(assignment.bot),
      .text(assignment.state.rawValue), .text(assignment.strategy),
      .optional(assignment.capability), .blob(assignment.decision), .integer(assignment.waited),
      .integer(assignment.created), .optional(assignment.accepted), .optional(assignment.ended),
      .optional(assignment.result), .optional(assignment.note)
    ) { $0.integer(0) }
    guard let id else {
      throw StoreError(
        .conflict,
        "Attempt \(assignment.attempt) of task \(assignment.task) was assigned already.")
    }
    return id
  }

  func update(_ assignment: AssignmentRow) throws(StoreError) {
    try session.run(
      """
      UPDATE assignments SET state = ?2, accepted = ?3, ended = ?4, result = ?5, note = ?6
      WHERE id = ?1
      """,
      .integer(assignment.id), .text(assignment.state.rawValue), .optional(assignment.accepted),
      .optional(assignment.ended), .optional(assignment.result), .optional(assignment.note))
    guard session.changes == 1 else {
      throw StoreError(.missing, "There is no assignment \(assignment.id).")
    }
  }

  func put(_ escalation: EscalationRow) throws(StoreError) {
    try session.run(
      """
      INSERT INTO task_escalations VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (task, step) DO UPDATE SET count = ?3, last = ?4
      """,
      .integer(escalation.task), .integer(escalation.step), .integer(escalation.count),
      .integer(escalation.last))
  }

  /// Keeps the newest assignment, because otherwise SQLite would reuse its number.
  func removeAssignments(endedBefore moment: Int64, limit: Int) throws(StoreError) -> Int {
    try session.run(
      """
      DELETE FROM task_escalations WHERE (task, step) IN
        (SELECT task, step FROM task_escalations AS old
         WHERE last < ?1 AND NOT EXISTS (SELECT 1 FROM tasks WHERE id = old.task)
         ORDER BY last LIMIT ?2)
      """, .integer(moment), .integer(Int64(limit)))
    let escalations = session.changes
    try session.run(
      """
      DELETE FROM assignments WHERE id IN
        (SELECT id FROM assignments
         WHERE ended < ?1 AND id < (SELECT max(id) FROM assignments)
         ORDER BY ended, id LIMIT ?2)
      """, .integer(moment), .integer(Int64(limit)))
    return escalations + session.changes
  }

  private static func row(_ row: SQLiteStatement) -> AssignmentRow {
    Self.row(row, omitsTexts: false)
  }

  /// - Parameter omitsTexts: whether the texts are left empty. SQLite reads a text only when its
  ///   column is requested.
  private static func row(_ row: SQLiteStatement, omitsTexts: Bool) -> AssignmentRow {
    // Columns are read by index (`SELECT *`), so migrations may add columns only at the end.
    AssignmentRow(
      id: row.integer(0), task: row.integer(1), attempt: row.integer(2), bot: row.text(3),
      state: AssignmentRow.State(rawValue: row.text(4)) ?? .withdrawn, strategy: row.text(5),
      capability: row.isNull(6) ? nil : row.text(6), decision: omitsTexts ? [] : row.blob(7),
      waited: row.integer(8), created: row.integer(9), accepted: row.optionalInteger(10),
      ended: row.optionalInteger(11),
      result: omitsTexts || row.isNull(12) ? nil : row.blob(12),
      note: omitsTexts || row.isNull(13) ? nil : row.text(13))
  }
}
