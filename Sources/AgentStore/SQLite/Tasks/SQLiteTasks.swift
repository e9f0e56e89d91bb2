internal import AgentSystem
internal import GRDBSQLite

/// Writes tasks on the writer's connection, on the writer's thread.
final class SQLiteTasks: SQLiteTaskReader, TaskStorage {
  /// The changes of a transaction besides its rows. `flush` writes them once for each transaction
  /// and not for each task.
  struct Pending {
    /// The differences of the numbers of tasks, by type and state.
    var counts: [Kind: Int64] = [:]
    /// The difference of the size of all open tasks' definitions.
    var allBytes: Int64 = 0
    /// The differences of the size of open tasks' definitions, by ``TaskRow/creator``.
    var bytes: [String: Int64] = [:]
    /// The differences of the sizes of ended tasks, logs and artifacts.
    var sizes = TaskSizes()
    /// The greatest removed number.
    var removed: Int64 = 0
    /// The types of removed tasks. They may have no tasks any more.
    var shrunk: Set<String> = []
  }

  /// The key by which tasks are counted.
  struct Kind: Hashable {
    let type: String
    let state: TaskRow.State
  }

  private(set) var pending = Pending()
  /// When old claims were stored in the rows of their tasks, in Unix milliseconds.
  var claimsStored: Int64 = 0
  private var next: Int64 = 0

  func insert(_ task: TaskRow) throws(StoreError) -> Int64 {
    // The unique index would also refuse the key, but without the task that has it.
    if let key = task.uniqueKey, let other = try self.task(uniqueKey: key) {
      throw StoreError(.conflict, "Task \(other.id) has the key \"\(key)\" already.")
    }
    let id = try nextNumber()
    try session.run(
      """
      INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(id), .integer(task.version), .text(task.name), .text(task.type),
      .text(task.state.rawValue),
      .integer(task.priority), .text(task.queueKey), .integer(task.rank), .integer(task.created),
      .integer(task.updated), .optional(task.asked), .optional(task.cancelling),
      .optional(task.runAt), .optional(task.due), .optional(task.wake),
      .integer(task.attempt), .integer(task.failures), .optional(task.owner), .optional(task.bot),
      .optional(task.started), .optional(task.finished), .optional(task.uniqueKey),
      .optional(task.parent), .optional(task.batch), .optional(task.schedule),
      .blob(task.definition), .optional(task.progress), .optional(task.result),
      .blob(task.history), .integer(task.lost), .integer(task.hostEnds),
      .optional(task.escalateAt), .optional(task.creator))
    next = id.adding(1)
    count(1, task)
    countBytes(task.openBytes, of: task.creator)
    countSizes(ended: task.endedBytes)
    if let batch = task.batch {
      try session.run(
        "UPDATE task_batches SET total = total + 1, pending = pending + 1 WHERE id = ?",
        .integer(batch))
    }
    return id
  }

  func update(_ task: TaskRow, from former: TaskRow) throws(StoreError) -> Bool {
    // Most changes take the first branch, which neither binds a large definition again nor updates
    // the indexes of unchanged columns.
    if task.sharesDescription(with: former) {
      try advance(task, former)
    } else {
      try edit(task, former)
    }
    return try hasChanged(former, to: task)
  }

  /// Counts a change. Called only for a change that is stored, because an outdated update must not
  /// change the counts.
  func countChange(of former: TaskRow, to task: TaskRow) throws(StoreError) {
    if task.state != former.state {
      count(-1, former)
      count(1, task)
    }
    countBytes(task.openBytes.subtracting(former.openBytes), of: former.creator)
    countSizes(ended: task.endedBytes.subtracting(former.endedBytes))
    try countInBatch(task, former)
  }

  /// Writes the columns that a transition may change.
  private func advance(_ task: TaskRow, _ former: TaskRow) throws(StoreError) {
    try session.run(
      """
      UPDATE tasks SET version = ?3, state = ?4, rank = ?5, updated = ?6, asked = ?7,
        cancelling = ?8, run_at = ?9, wake = ?10, attempt = ?11, failures = ?12, owner = ?13,
        bot = ?14, started = ?15, finished = ?16, progress = ?17, result = ?18, history = ?19,
        lost = ?20, host_ends = ?21, escalate_at = ?22
      WHERE id = ?1
        AND coalesce((SELECT version FROM task_claims WHERE task = ?1), version) = ?2
      """,
      .integer(task.id), .integer(former.version), .integer(former.version.adding(1)),
      .text(task.state.rawValue), .integer(task.rank), .integer(task.updated),
      .optional(task.asked), .optional(task.cancelling), .optional(task.runAt),
      .optional(task.wake), .integer(task.attempt), .integer(task.failures),
      .optional(task.owner), .optional(task.bot), .optional(task.started),
      .optional(task.finished), .optional(task.progress), .optional(task.result),
      .blob(task.history), .integer(task.lost), .integer(task.hostEnds),
      .optional(task.escalateAt))
  }

  /// Writes all columns that may change.
  private func edit(_ task: TaskRow, _ former: TaskRow) throws(StoreError) {
    try session.run(
      """
      UPDATE tasks SET version = ?3, name = ?4, state = ?5, priority = ?6, queue_key = ?7, rank = ?8,
        updated = ?9, asked = ?10, cancelling = ?11, run_at = ?12, due = ?13, wake = ?14,
        attempt = ?15, failures = ?16, owner = ?17, bot = ?18, started = ?19, finished = ?20,
        unique_key = ?21, definition = ?22, progress = ?23, result = ?24, history = ?25,
        lost = ?26, host_ends = ?27, escalate_at = ?28
      WHERE id = ?1
        AND coalesce((SELECT version FROM task_claims WHERE task = ?1), version) = ?2
      """,
      .integer(task.id), .integer(former.version), .integer(former.version.adding(1)),
      .text(task.name),
      .text(task.state.rawValue), .integer(task.priority), .text(task.queueKey),
      .integer(task.rank),
      .integer(task.updated), .optional(task.asked), .optional(task.cancelling),
      .optional(task.runAt), .optional(task.due), .optional(task.wake), .integer(task.attempt),
      .integer(task.failures), .optional(task.owner), .optional(task.bot),
      .optional(task.started), .optional(task.finished), .optional(task.uniqueKey),
      .blob(task.definition), .optional(task.progress), .optional(task.result),
      .blob(task.history), .integer(task.lost), .integer(task.hostEnds),
      .optional(task.escalateAt))
  }

  /// Updates the counts of a task's batch, so that its tasks needn't be counted.
  private func countInBatch(_ task: TaskRow, _ former: TaskRow) throws(StoreError) {
    guard let batch = task.batch, (task.finished == nil) != (former.finished == nil) else { return }
    let ended = task.finished == nil ? -1 : Int64(1)
    // If an ended task is queued again, the count of its former end is subtracted.
    let row = task.finished == nil ? former : task
    try session.run(
      """
      UPDATE task_batches
      SET pending = pending - ?2, unsuccessful = unsuccessful + ?3,
        finished = iif(pending - ?2 = 0, ?4, NULL)
      WHERE id = ?1
      """,
      .integer(batch), .integer(ended), .integer(row.state == .succeeded ? 0 : ended),
      .integer(task.updated))
  }

  func append(_ lines: [TaskLogLine], keep: Int) throws(StoreError) -> Int64 {
    guard let task = lines.first?.task else { return 0 }
    let before =
      try session.first(
        "SELECT max(number) FROM task_logs WHERE task = ?", .integer(task), row: { $0.integer(0) })
      ?? 0
    var last = before
    for line in lines {
      last = last.adding(1)
      countSizes(logs: Int64(clamping: line.text.utf8.count))
      try session.run(
        "INSERT INTO task_logs VALUES (?, ?, ?, ?, ?, ?)", .integer(task), .integer(last),
        .integer(line.timestamp), .integer(line.attempt), .text(line.stream), .text(line.text))
    }
    try removeLines(of: task, upTo: last.subtracting(Int64(clamping: keep)))
    return before
  }

  func insert(_ batch: TaskBatch) throws(StoreError) -> Int64 {
    try session.run(
      """
      INSERT INTO task_batches (name, created, total, pending, unsuccessful, finished)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      .text(batch.name), .integer(batch.created), .integer(batch.total), .integer(batch.pending),
      .integer(batch.unsuccessful), .optional(batch.finished))
    return sqlite3_last_insert_rowid(session.handle)
  }

  // MARK: The transaction

  private func nextNumber() throws(StoreError) -> Int64 {
    if next > 0 { return next }
    // Removed tasks count too, because numbers aren't reused.
    let greatest = try session.number("SELECT max(id) FROM tasks")
    return max(greatest, try session.number("SELECT removed FROM task_sequence")).adding(1)
  }

  /// Adds to the size of open tasks, both of the creator and of all.
  func countBytes(_ change: Int64, of creator: String?) {
    guard change != 0 else { return }
    pending.allBytes = pending.allBytes.adding(change)
    guard let creator else { return }
    pending.bytes[creator] = (pending.bytes[creator] ?? 0).adding(change)
  }

  /// Adds to the sizes of ended tasks, logs and artifacts.
  func countSizes(ended: Int64 = 0, logs: Int64 = 0, artifacts: Int64 = 0) {
    pending.sizes.add(ended: ended, logs: logs, artifacts: artifacts)
  }

  override func taskSizes() throws(StoreError) -> TaskSizes {
    var sizes = try super.taskSizes()
    // The changes of this transaction aren't in the table yet.
    let change = pending.sizes
    sizes.add(ended: change.ended, logs: change.logs, artifacts: change.artifacts)
    return sizes
  }

  /// Records the removal of a task for `flush`.
  func removed(_ id: Int64, type: String, state: TaskRow.State) {
    count(-1, Kind(type: type, state: state))
    pending.removed = max(pending.removed, id)
    pending.shrunk.insert(type)
  }

  func moveTasks(by milliseconds: Int64) throws(StoreError) {
    // A sum beyond Int64 becomes a floating-point number in SQLite, which the column refuses.
    // Therefore, the jump is limited, and times beyond the limits aren't moved.
    let jump = milliseconds.clamped(to: -(1 << 60)...(1 << 60))
    // A clock is set rarely, and few tasks run. A second form of the statement below isn't worth it.
    try storeClaims()
    try session.run(
      """
      UPDATE tasks SET version = version + 1,
        asked = iif(asked BETWEEN -(1 << 60) AND 1 << 60, asked + ?1, asked),
        started = iif(started BETWEEN -(1 << 60) AND 1 << 60, started + ?1, started),
        run_at = iif(state = 'scheduled' AND started IS NOT NULL
            AND run_at BETWEEN -(1 << 60) AND 1 << 60,
          run_at + ?1, run_at),
        wake = iif((state <> 'scheduled' OR started IS NOT NULL)
            AND wake BETWEEN -(1 << 60) AND 1 << 60,
          wake + ?1, wake),
        escalate_at = iif(escalate_at IS NULL, NULL, 0)
      WHERE finished IS NULL AND state IN ('assigned', 'running', 'queued', 'scheduled')
        AND (wake IS NOT NULL OR owner IS NOT NULL OR escalate_at IS NOT NULL)
      """, .integer(jump))
    // The wait until a step of an escalation comes again counts from its last time.
    try session.run(
      """
      UPDATE task_escalations SET last = last + ?1
      WHERE last BETWEEN -(1 << 60) AND 1 << 60
        AND task IN (SELECT id FROM tasks WHERE escalate_at IS NOT NULL)
      """, .integer(jump))
  }

  func openBytes(of creator: String?) throws(StoreError) -> Int64 {
    let owner = creator ?? ""
    let stored = try session.first(
      "SELECT bytes FROM task_bytes WHERE owner = ?", .text(owner), row: { $0.integer(0) })
    // The changes of this transaction aren't in the table yet.
    let change = creator == nil ? pending.allBytes : pending.bytes[owner] ?? 0
    return (stored ?? 0).adding(change)
  }

  func put(_ mark: ClockMark) throws(StoreError) {
    try session.run(
      "REPLACE INTO clock_mark (id, boot, wall, steady) VALUES (1, ?, ?, ?)", .text(mark.boot),
      .integer(mark.wall), .integer(mark.steady))
  }

  func escalate(_ former: TaskRow, at moment: Int64?) throws(StoreError) {
    // The version isn't increased, so that a transition of the same row isn't refused.
    try session.run(
      """
      UPDATE tasks SET escalate_at = ?3
      WHERE id = ?1
        AND coalesce((SELECT version FROM task_claims WHERE task = ?1), version) = ?2
      """, .integer(former.id), .integer(former.version), .optional(moment))
  }

  private func count(_ change: Int64, _ task: TaskRow) {
    count(change, Kind(type: task.type, state: task.state))
  }

  private func count(_ change: Int64, _ kind: Kind) {
    pending.counts[kind] = (pending.counts[kind] ?? 0).adding(change)
  }

  func committed() { pending = Pending() }

  /// Removes the changes after `former`, because the database has rolled them back. `next` isn't
  /// changed, because numbers aren't reused.
  func rolledBack(to former: Pending = Pending()) { pending = former }
}

extension TaskRow {
  /// The size of the definition, the history, the progress and the result in bytes; 0 before the
  /// end of the task.
  fileprivate var endedBytes: Int64 {
    guard finished != nil else { return 0 }
    return Int64(
      clamping: definition.count + history.count + (progress?.count ?? 0) + (result?.count ?? 0))
  }

  /// The size of the definition in bytes; 0 after the end of the task.
  fileprivate var openBytes: Int64 {
    finished == nil ? Int64(clamping: definition.count) : 0
  }

  /// Whether the columns that users define are equal. Most changes are transitions, which keep
  /// them.
  func sharesDescription(with other: TaskRow) -> Bool {
    priority == other.priority && due == other.due && name == other.name
      && queueKey == other.queueKey
      && uniqueKey == other.uniqueKey && definition == other.definition
  }
}
