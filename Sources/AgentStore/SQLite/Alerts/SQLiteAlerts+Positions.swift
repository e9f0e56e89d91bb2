/// Reads and writes the positions of rules' queries.
extension SQLiteAlerts {
  func rulePositions() throws(StoreError) -> [RulePositionRow] {
    var rows: [RulePositionRow] = []
    try session.each(
      """
      SELECT rule, trigger, query, mark, partial, taken, revision FROM rule_positions
      ORDER BY rule, trigger
      """
    ) { row throws(StoreError) in rows.append(Self.position(row)) }
    return rows
  }

  func rulePosition(_ rule: String, trigger: String) throws(StoreError) -> RulePositionRow? {
    try session.first(
      """
      SELECT rule, trigger, query, mark, partial, taken, revision FROM rule_positions
      WHERE rule = ? AND trigger = ?
      """, .text(rule), .text(trigger), row: Self.position)
  }

  func set(_ position: RulePositionRow) throws(StoreError) {
    try session.run(
      """
      INSERT INTO rule_positions (rule, trigger, query, mark, partial, taken, revision)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT (rule, trigger) DO UPDATE SET query = ?3, mark = ?4, partial = ?5, taken = ?6,
        revision = ?7
      """,
      .text(position.rule), .text(position.trigger), .text(position.query),
      .optional(position.mark), .optional(position.partial), .blob(position.taken),
      .integer(position.revision))
  }

  func removeRulePosition(_ rule: String, trigger: String) throws(StoreError) {
    try session.run(
      "DELETE FROM rule_positions WHERE rule = ? AND trigger = ?", .text(rule), .text(trigger))
  }

  private static func position(_ row: SQLiteStatement) -> RulePositionRow {
    RulePositionRow(
      rule: row.text(0), trigger: row.text(1), query: row.text(2),
      mark: row.isNull(3) ? nil : row.text(3), partial: row.isNull(4) ? nil : row.text(4),
      taken: row.blob(5), revision: row.integer(6))
  }
}
