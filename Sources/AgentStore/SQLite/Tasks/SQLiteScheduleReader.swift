/// Reads schedules on one connection, on the thread that uses it.
class SQLiteScheduleReader: ScheduleReader {
  let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func schedule(_ id: Int64) throws(StoreError) -> ScheduleRow? {
    try session.first("SELECT * FROM schedules WHERE id = ?", .integer(id), row: Self.row)
  }

  func schedule(named name: String) throws(StoreError) -> ScheduleRow? {
    try session.first("SELECT * FROM schedules WHERE name = ?", .text(name), row: Self.row)
  }

  func page(_ selection: ScheduleSelection) throws(StoreError) -> SchedulePage {
    let statement = try session.statement(Self.chosen)
    defer { statement.reset() }
    try statement.bind([
      .integer(selection.after), .optional(selection.state?.rawValue),
      .optional(selection.source), .optional(selection.text),
    ])
    var page = SchedulePage(rows: [], after: nil)
    var looked = 0
    while page.rows.count < max(0, selection.limit), looked < selection.look {
      guard try statement.step() else { return SchedulePage(rows: page.rows, after: nil) }
      looked += 1
      page.after = statement.integer(0)
      // Column 11 of a schedule shows whether it matches. The statement returns all schedules, so
      // that the examined ones can be counted.
      if statement.integer(11) != 0 { page.rows.append(Self.row(statement)) }
    }
    return page
  }

  private static let chosen: StaticString = """
    SELECT *, (?2 IS NULL OR state = ?2) AND (?3 IS NULL OR source = ?3)
      AND (?4 IS NULL OR instr(lower(name), lower(?4)))
    FROM schedules WHERE id > ?1 ORDER BY id
    """

  func scheduleCount(_ state: ScheduleRow.State) throws(StoreError) -> Int64 {
    try session.first(
      "SELECT count(*) FROM schedules WHERE state = ?", .text(state.rawValue),
      row: { $0.integer(0) }) ?? 0
  }

  func scheduleBytes() throws(StoreError) -> Int64 {
    try session.first("SELECT coalesce(sum(length(definition)), 0) FROM schedules") {
      $0.integer(0)
    } ?? 0
  }

  func schedulesDue(by moment: Int64, limit: Int) throws(StoreError) -> [ScheduleRow] {
    var rows: [ScheduleRow] = []
    try session.each(
      "SELECT * FROM schedules WHERE wake <= ? ORDER BY wake LIMIT ?", .integer(moment),
      .integer(Int64(limit))
    ) { row throws(StoreError) in rows.append(Self.row(row)) }
    return rows
  }

  func nextScheduleWake() throws(StoreError) -> Int64? {
    // Without the condition, SQLite can't use `schedules_wake`, which contains only rows with a
    // wake time.
    try session.first("SELECT min(wake) FROM schedules WHERE wake IS NOT NULL") {
      $0.optionalInteger(0)
    } ?? nil
  }

  func schedules(
    handledAfter moment: Int64, from id: Int64, limit: Int
  ) throws(StoreError) -> [ScheduleRow] {
    var rows: [ScheduleRow] = []
    try session.each(
      """
      SELECT * FROM schedules WHERE handled > ? AND id >= ? AND state = 'active'
      ORDER BY id LIMIT ?
      """, .integer(moment), .integer(id), .integer(Int64(limit))
    ) { row throws(StoreError) in rows.append(Self.row(row)) }
    return rows
  }

  func fire(of schedule: Int64, at time: Int64) throws(StoreError) -> ScheduleFire? {
    try session.first(
      "SELECT * FROM schedule_fires WHERE schedule = ? AND fire_time = ?", .integer(schedule),
      .integer(time), row: Self.fire)
  }

  func fires(
    of schedule: Int64, before time: Int64?, limit: Int
  ) throws(StoreError) -> [ScheduleFire] {
    var fires: [ScheduleFire] = []
    try session.each(
      """
      SELECT * FROM schedule_fires WHERE schedule = ? AND fire_time < ?
      ORDER BY fire_time DESC LIMIT ?
      """, .integer(schedule), .integer(time ?? .max), .integer(Int64(limit))
    ) { row throws(StoreError) in fires.append(Self.fire(row)) }
    return fires
  }

  func openTasks(of schedule: Int64) throws(StoreError) -> [TaskRow] {
    // `finished IS NULL` is the condition of the partial index `tasks_of_schedules`. Therefore, the
    // growing number of ended runs isn't read.
    var tasks: [TaskRow] = []
    try session.each(
      """
      SELECT * FROM task_rows WHERE schedule = ? AND schedule IS NOT NULL AND finished IS NULL
      ORDER BY id
      """, .integer(schedule)
    ) { row throws(StoreError) in tasks.append(SQLiteTaskReader.row(row)) }
    return tasks
  }

  func schedulesWithWaitingTasks() throws(StoreError) -> [Int64] {
    // `finished IS NULL` lets SQLite use an index of open tasks.
    var ids: [Int64] = []
    try session.each(
      """
      SELECT DISTINCT schedule FROM tasks
      WHERE state = 'waiting' AND schedule IS NOT NULL AND finished IS NULL
      """
    ) { row throws(StoreError) in ids.append(row.integer(0)) }
    return ids
  }

  private static func row(_ row: SQLiteStatement) -> ScheduleRow {
    // Columns are read by index (`SELECT *`), so migrations may add columns only at the end.
    ScheduleRow(
      id: row.integer(0), name: row.text(1),
      state: ScheduleRow.State(rawValue: row.text(2)) ?? .paused, source: row.optionalText(3),
      definition: row.blob(4), handled: row.integer(5), next: row.optionalInteger(6),
      wake: row.optionalInteger(7), created: row.integer(8), updated: row.integer(9),
      version: row.integer(10))
  }

  private static func fire(_ row: SQLiteStatement) -> ScheduleFire {
    ScheduleFire(
      schedule: row.integer(0), time: row.integer(1), decided: row.integer(2),
      outcome: row.text(3), task: row.optionalInteger(4), note: row.optionalText(5))
  }
}
