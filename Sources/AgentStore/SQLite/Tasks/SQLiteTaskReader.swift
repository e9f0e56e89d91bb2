/// Reads tasks on one connection, on the thread that uses it.
class SQLiteTaskReader: TaskReader {
  let session: SQLiteSession

  init(_ session: SQLiteSession) { self.session = session }

  func task(_ id: Int64) throws(StoreError) -> TaskRow? {
    try session.first("SELECT * FROM task_rows WHERE id = ?", .integer(id), row: Self.row)
  }

  func tasks(_ ids: [Int64]) throws(StoreError) -> [TaskRow] {
    let statement = try session.statement("SELECT * FROM task_rows WHERE id = ?")
    defer { statement.reset() }
    var rows: [TaskRow] = []
    rows.reserveCapacity(ids.count)
    for id in ids {
      statement.reset()
      try statement.bind(1, integer: id)
      if try statement.step() { rows.append(Self.row(statement)) }
    }
    return rows
  }

  func storedStates(after id: Int64, limit: Int) throws(StoreError) -> [StoredTaskState] {
    var states: [StoredTaskState] = []
    try session.each(
      "SELECT id, state FROM tasks WHERE id > ? ORDER BY id LIMIT ?", .integer(id),
      .integer(Int64(limit))
    ) { row throws(StoreError) in
      states.append(StoredTaskState(id: row.integer(0), state: row.text(1)))
    }
    return states
  }

  func task(uniqueKey: String) throws(StoreError) -> TaskRow? {
    try session.first(
      "SELECT * FROM task_rows WHERE unique_key = ?", .text(uniqueKey), row: Self.row)
  }

  func taskCounts() throws(StoreError) -> [TaskCount] {
    var counts: [TaskCount] = []
    try session.each(
      "SELECT type, state, count FROM task_counts WHERE count != 0 ORDER BY type, state"
    ) { row throws(StoreError) in
      // Another program has written an unknown state. `agent doctor` reports such rows
      // (``storedStates(after:limit:)``).
      guard let state = TaskRow.State(rawValue: row.text(1)) else { return }
      counts.append(TaskCount(type: row.text(0), state: state, count: row.integer(2)))
    }
    return counts
  }

  func taskCounts(after type: String, types: Int) throws(StoreError) -> TaskCountPage {
    let statement = try session.statement(
      """
      SELECT type, state, count FROM task_counts WHERE type > ? AND count != 0
      ORDER BY type, state
      """)
    defer { statement.reset() }
    try statement.bind([.text(type)])
    var page = TaskCountPage(counts: [], after: nil)
    var (last, found) = (type, 0)
    while try statement.step() {
      let name = statement.text(0)
      // The rows are sorted by type, so another name means that the former type is complete.
      if name != last {
        guard found < types else { return TaskCountPage(counts: page.counts, after: last) }
        last = name
        found += 1
      }
      guard let state = TaskRow.State(rawValue: statement.text(1)) else { continue }
      page.counts.append(TaskCount(type: name, state: state, count: statement.integer(2)))
    }
    return page
  }

  func taskTotals() throws(StoreError) -> [TaskRow.State: Int64] {
    var totals: [TaskRow.State: Int64] = [:]
    try session.each("SELECT state, count FROM task_totals") { row throws(StoreError) in
      guard let state = TaskRow.State(rawValue: row.text(0)) else { return }
      totals[state] = row.integer(1)
    }
    return totals
  }

  func taskCounts(of type: String) throws(StoreError) -> [TaskCount] {
    var counts: [TaskCount] = []
    try session.each(
      "SELECT state, count FROM task_counts WHERE type = ? AND count != 0 ORDER BY state",
      .text(type)
    ) { row throws(StoreError) in
      guard let state = TaskRow.State(rawValue: row.text(0)) else { return }
      counts.append(TaskCount(type: type, state: state, count: row.integer(1)))
    }
    return counts
  }

  func taskSizes() throws(StoreError) -> TaskSizes {
    var sizes = TaskSizes()
    try session.each("SELECT kind, bytes FROM task_sizes") { row throws(StoreError) in
      switch row.text(0) {
      case "ended": sizes.ended = row.integer(1)
      case "logs": sizes.logs = row.integer(1)
      case "artifacts": sizes.artifacts = row.integer(1)
      default: break
      }
    }
    return sizes
  }

  func clockMark() throws(StoreError) -> ClockMark? {
    try session.first("SELECT boot, wall, steady FROM clock_mark WHERE id = 1") { row in
      ClockMark(boot: row.text(0), wall: row.integer(1), steady: row.integer(2))
    }
  }

  func queues() throws(StoreError) -> [QueueHead] {
    var queues: [QueueHead] = []
    try session.each(
      """
      SELECT queue_key, count(*), min(rank) FROM tasks
      WHERE state = 'queued' AND NOT EXISTS (SELECT 1 FROM task_claims WHERE task = id)
      GROUP BY queue_key
      """
    ) { row throws(StoreError) in
      queues.append(QueueHead(name: row.text(0), count: row.integer(1), head: row.integer(2)))
    }
    return queues
  }

  func heads(of queueKey: String, limit: Int) throws(StoreError) -> [TaskRow] {
    try rows(
      session.statement(
        """
        SELECT * FROM tasks
        WHERE state = 'queued' AND queue_key = ?
          AND NOT EXISTS (SELECT 1 FROM task_claims WHERE task = id)
        ORDER BY rank, id LIMIT ?
        """),
      .text(queueKey), .integer(Int64(limit)))
  }

  func places(in queueKey: String, limit: Int) throws(StoreError) -> [QueuePosition] {
    var places: [QueuePosition] = []
    try session.each(
      """
      SELECT rank, id FROM tasks
      WHERE state = 'queued' AND queue_key = ?
        AND NOT EXISTS (SELECT 1 FROM task_claims WHERE task = id)
      ORDER BY rank, id LIMIT ?
      """,
      .text(queueKey), .integer(Int64(limit))
    ) { row throws(StoreError) in
      places.append(QueuePosition(rank: row.integer(0), task: row.integer(1)))
    }
    return places
  }

  func places(
    in queueKey: String, after place: QueuePosition, limit: Int
  ) throws(StoreError) -> [QueuePosition] {
    var places: [QueuePosition] = []
    try session.each(
      """
      SELECT rank, id FROM tasks
      WHERE state = 'queued' AND queue_key = ? AND (rank, id) > (?, ?)
        AND NOT EXISTS (SELECT 1 FROM task_claims WHERE task = id)
      ORDER BY rank, id LIMIT ?
      """,
      .text(queueKey), .integer(place.rank), .integer(place.task), .integer(Int64(limit))
    ) { row throws(StoreError) in
      places.append(QueuePosition(rank: row.integer(0), task: row.integer(1)))
    }
    return places
  }

  func held(by bot: String, from id: Int64) throws(StoreError) -> [TaskRow] {
    try rows(
      session.statement(
        """
        SELECT * FROM tasks
        WHERE bot = ? AND finished IS NULL AND state IN ('assigned', 'running') AND id >= ?
        ORDER BY id
        """), .text(bot), .integer(id))
  }

  func leases(from id: Int64, limit: Int) throws(StoreError) -> [StoredLease] {
    var leases: [StoredLease] = []
    try session.each(
      """
      WITH held (id) AS (
        SELECT id FROM tasks
        WHERE finished IS NULL AND state IN ('assigned', 'running') AND id >= ?1
        UNION ALL SELECT task FROM task_claims WHERE task >= ?1
        ORDER BY id LIMIT ?2)
      SELECT id, attempt, owner, queue_key, cancelling IS NOT NULL FROM task_rows
      WHERE id IN (SELECT id FROM held) ORDER BY id
      """, .integer(id), .integer(Int64(limit))
    ) { row throws(StoreError) in
      leases.append(
        StoredLease(
          task: row.integer(0), attempt: row.integer(1), owner: row.optionalText(2),
          queueKey: row.text(3), isCancelling: row.integer(4) != 0))
    }
    return leases
  }

  func suspects(from id: Int64, limit: Int) throws(StoreError) -> [TaskRow] {
    try rows(
      session.statement(
        """
        SELECT * FROM task_rows WHERE finished IS NULL AND host_ends > 0 AND id >= ?
        ORDER BY id LIMIT ?
        """), .integer(id), .integer(Int64(limit)))
  }

  func escalations(dueBy moment: Int64, limit: Int) throws(StoreError) -> [Int64] {
    var tasks: [Int64] = []
    try session.each(
      "SELECT id FROM tasks WHERE escalate_at <= ? ORDER BY escalate_at LIMIT ?",
      .integer(moment), .integer(Int64(limit))
    ) { row throws(StoreError) in tasks.append(row.integer(0)) }
    return tasks
  }

  func nextEscalation() throws(StoreError) -> Int64? {
    // Without the condition, SQLite can't use the partial index. The same applies to `nextWake`.
    try session.first("SELECT min(escalate_at) FROM tasks WHERE escalate_at IS NOT NULL") {
      $0.optionalInteger(0)
    } ?? nil
  }

  func held(from id: Int64, limit: Int) throws(StoreError) -> [TaskRow] {
    try rows(
      session.statement(
        """
        WITH held (id) AS (
          SELECT id FROM tasks
          WHERE finished IS NULL AND state IN ('assigned', 'running') AND id >= ?1
          UNION ALL SELECT task FROM task_claims WHERE task >= ?1
          ORDER BY id LIMIT ?2)
        SELECT * FROM task_rows WHERE id IN (SELECT id FROM held) ORDER BY id
        """), .integer(id), .integer(Int64(limit)))
  }

  func due(by moment: Int64, limit: Int) throws(StoreError) -> [TaskRow] {
    try rows(
      session.statement("SELECT * FROM task_rows WHERE wake <= ? ORDER BY wake LIMIT ?"),
      .integer(moment), .integer(Int64(limit)))
  }

  func nextWake() throws(StoreError) -> Int64? {
    try session.first("SELECT min(wake) FROM tasks WHERE wake IS NOT NULL") {
      $0.optionalInteger(0)
    } ?? nil
  }

  func logLines(
    of task: Int64, after number: Int64, limit: Int
  ) throws(StoreError) -> [TaskLogLine] {
    var lines: [TaskLogLine] = []
    try session.each(
      "SELECT * FROM task_logs WHERE task = ? AND number > ? ORDER BY number LIMIT ?",
      .integer(task), .integer(number), .integer(Int64(limit))
    ) { row throws(StoreError) in
      lines.append(
        TaskLogLine(
          task: row.integer(0), number: row.integer(1), timestamp: row.integer(2),
          attempt: row.integer(3), stream: row.text(4), text: row.text(5)))
    }
    return lines
  }

  func batch(_ id: Int64) throws(StoreError) -> TaskBatch? {
    try session.first("SELECT * FROM task_batches WHERE id = ?", .integer(id), row: Self.batch)
  }

  func batches(before id: Int64?, limit: Int) throws(StoreError) -> [TaskBatch] {
    var batches: [TaskBatch] = []
    try session.each(
      "SELECT * FROM task_batches WHERE id < ? ORDER BY id DESC LIMIT ?", .integer(id ?? .max),
      .integer(Int64(limit))
    ) { row throws(StoreError) in batches.append(Self.batch(row)) }
    return batches
  }

  func tasks(_ selection: TaskSelection) throws(StoreError) -> [TaskRow] {
    var all = selection
    // This call returns the whole selection and not a page that may end early.
    (all.look, all.maxSorted) = (.max, .max)
    return try SQLiteTaskList(session, all).page().rows
  }

  func page(_ selection: TaskSelection) throws(StoreError) -> TaskPage {
    try SQLiteTaskList(session, selection).page()
  }

  // MARK: Rows

  /// Returns the rows of a scan, until they have ``TaskRow/pageBytes``. SQLite doesn't read the
  /// others.
  private func rows(
    _ statement: SQLiteStatement, _ values: SQLiteValue...
  ) throws(StoreError) -> [TaskRow] {
    defer { statement.reset() }
    try statement.bind(values)
    var rows: [TaskRow] = []
    var bytesLeft = TaskRow.pageBytes
    while bytesLeft > 0, try statement.step() {
      let row = Self.row(statement)
      rows.append(row)
      bytesLeft -= min(bytesLeft, row.bytes)
    }
    return rows
  }

  static func row(_ row: SQLiteStatement) -> TaskRow {
    // Columns are read by index (`SELECT *`), so migrations may add columns only at the end.
    TaskRow(
      id: row.integer(0), version: row.integer(1), name: row.text(2), type: row.text(3),
      state: TaskRow.State(rawValue: row.text(4)) ?? .dead, priority: row.integer(5),
      queueKey: row.text(6), rank: row.integer(7), created: row.integer(8), updated: row.integer(9),
      asked: row.optionalInteger(10), cancelling: row.optionalInteger(11),
      runAt: row.optionalInteger(12), due: row.optionalInteger(13),
      wake: row.optionalInteger(14), attempt: row.integer(15), failures: row.integer(16),
      owner: row.optionalText(17), bot: row.optionalText(18), started: row.optionalInteger(19),
      finished: row.optionalInteger(20), uniqueKey: row.optionalText(21),
      parent: row.optionalInteger(22), batch: row.optionalInteger(23),
      schedule: row.optionalInteger(24), definition: row.blob(25),
      progress: row.isNull(26) ? nil : row.blob(26), result: row.isNull(27) ? nil : row.blob(27),
      history: row.blob(28), lost: row.integer(29), hostEnds: row.integer(30),
      escalateAt: row.optionalInteger(31), creator: row.optionalText(32))
  }

  private static func batch(_ row: SQLiteStatement) -> TaskBatch {
    TaskBatch(
      id: row.integer(0), name: row.text(1), created: row.integer(2), total: row.integer(3),
      pending: row.integer(4), unsuccessful: row.integer(5), finished: row.optionalInteger(6))
  }
}
