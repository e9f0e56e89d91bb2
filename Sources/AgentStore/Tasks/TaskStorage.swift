/// Reads tasks.
public protocol TaskReader: AnyObject {
  /// Returns a task, or `nil` if there is none with this number.
  func task(_ id: Int64) throws(StoreError) -> TaskRow?
  /// Returns the tasks with these numbers, in this order, without those that don't exist.
  func tasks(_ ids: [Int64]) throws(StoreError) -> [TaskRow]
  /// Returns tasks after a number with their stored states. Other columns aren't read, so that a
  /// check also works for unreadable rows.
  func storedStates(after id: Int64, limit: Int) throws(StoreError) -> [StoredTaskState]
  /// Returns the task that has a unique key, or `nil` if there is none.
  func task(uniqueKey: String) throws(StoreError) -> TaskRow?
  /// Returns all selected tasks, up to the limit of the selection.
  func tasks(_ selection: TaskSelection) throws(StoreError) -> [TaskRow]
  /// Returns a page of a selection. It examines at most ``TaskSelection/look`` tasks.
  func page(_ selection: TaskSelection) throws(StoreError) -> TaskPage
  /// Returns the numbers of tasks by type and state, without states that have no tasks.
  func taskCounts() throws(StoreError) -> [TaskCount]
  /// Returns the numbers of tasks by type and state for the first `types` types after a name,
  /// without states that have no tasks.
  func taskCounts(after type: String, types: Int) throws(StoreError) -> TaskCountPage
  /// Returns the numbers of tasks of one type, by state.
  func taskCounts(of type: String) throws(StoreError) -> [TaskCount]
  /// Returns the numbers of tasks of all types together, by state.
  func taskTotals() throws(StoreError) -> [TaskRow.State: Int64]
  /// Returns the bytes of ended tasks, of logs and of artifacts, including the changes of this
  /// transaction.
  func taskSizes() throws(StoreError) -> TaskSizes
  /// Returns artifacts of ended tasks, those of the tasks with the least numbers first.
  func artifactsOfEndedTasks(limit: Int) throws(StoreError) -> [TaskArtifact]
  /// Returns the queues that have tasks.
  func queues() throws(StoreError) -> [QueueHead]
  /// Returns the positions of the first tasks of a queue.
  func places(in queueKey: String, limit: Int) throws(StoreError) -> [QueuePosition]
  /// Returns the positions of the first tasks after a position in a queue.
  func places(in queueKey: String, after place: QueuePosition, limit: Int) throws(StoreError)
    -> [QueuePosition]
  /// Returns the earliest time at which a step of an escalation may be due, or `nil` if there is
  /// none.
  func nextEscalation() throws(StoreError) -> Int64?
  /// Returns the numbers of tasks with a step of the escalation that may be due at `moment`, the
  /// earliest first.
  func escalations(dueBy moment: Int64, limit: Int) throws(StoreError) -> [Int64]
  /// Returns the leases of tasks that are assigned or running, ordered by number, from `id` on.
  func leases(from id: Int64, limit: Int) throws(StoreError) -> [StoredLease]

  // Each of the following calls ends after the task with which its rows have ``TaskRow/pageBytes``,
  // because a limit of their number doesn't limit the memory. To read all tasks, call it until it
  // returns none.

  /// Returns the first tasks of a queue.
  func heads(of queueKey: String, limit: Int) throws(StoreError) -> [TaskRow]
  /// Returns the tasks that are assigned to a bot or run on it, ordered by number, from `id` on.
  func held(by bot: String, from id: Int64) throws(StoreError) -> [TaskRow]
  /// Returns the tasks that are assigned or running, ordered by number, from `id` on.
  func held(from id: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// Returns open tasks that may have crashed the host (``TaskRow/hostEnds``), ordered by number,
  /// from `id` on.
  func suspects(from id: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// Returns the tasks whose deadline (``TaskRow/wake``) is at or before `moment`, the earliest
  /// first.
  func due(by moment: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// Returns the earliest deadline of a task in Unix milliseconds, or `nil` if there is none.
  func nextWake() throws(StoreError) -> Int64?
  /// Returns the clocks that ``TaskStorage/put(_:)`` stored last, or `nil` if there are none.
  func clockMark() throws(StoreError) -> ClockMark?
  /// Returns the log lines of a task after a number, the oldest first.
  func logLines(of task: Int64, after number: Int64, limit: Int) throws(StoreError) -> [TaskLogLine]
  /// Returns the artifacts of a task, sorted by name.
  func artifacts(of task: Int64) throws(StoreError) -> [TaskArtifact]
  /// Returns a batch, or `nil` if there is none with this number.
  func batch(_ id: Int64) throws(StoreError) -> TaskBatch?
  /// Returns batches with a number less than `id`, the newest first.
  func batches(before id: Int64?, limit: Int) throws(StoreError) -> [TaskBatch]
}

/// Writes tasks. The state machine in AgentTasks decides about transitions. A change is stored only
/// if the task still has the version that the caller has read.
public protocol TaskStorage: TaskReader {
  /// Adds a task.
  /// - Returns: its number.
  /// - Throws: `conflict` if its unique key exists.
  @discardableResult
  func insert(_ task: TaskRow) throws(StoreError) -> Int64
  /// Returns the size of the definitions of open tasks in bytes, including the changes of this
  /// transaction.
  /// - Parameter creator: counts only tasks of this ``TaskRow/creator``; `nil` for all tasks.
  func openBytes(of creator: String?) throws(StoreError) -> Int64
  /// Changes a task that still has the version of `former`. Its version increases by one.
  /// - Returns: false if it has another version. Then nothing has changed.
  func update(_ task: TaskRow, from former: TaskRow) throws(StoreError) -> Bool
  /// Stores that attempts of the host begin, a whole group at once. Each task must be in the state
  /// `running` afterwards.
  /// - Returns: for each task, whether it was stored; false if it has another version.
  func begin(_ steps: [TaskStep]) throws(StoreError) -> [Bool]
  /// Stores that attempts of the host have ended, a whole group at once.
  /// - Returns: for each task, whether it was stored; false if it has another version.
  func end(_ steps: [TaskStep]) throws(StoreError) -> [Bool]
  /// Removes a task with all its rows.
  /// - Returns: false if there was no such task.
  @discardableResult
  func remove(_ id: Int64) throws(StoreError) -> Bool
  /// Removes the oldest lines of a task's log, at most 5,000 lines and about 4 MiB.
  /// - Returns: whether no line is left.
  func removeLogLines(of task: Int64) throws(StoreError) -> Bool
  /// Examines tasks after `number` and removes those that ended before a time. The cost depends
  /// neither on the number of tasks nor on their logs. To remove all, call it again with ``TaskRemoval/last``.
  /// A step removes at most 5,000 rows and about 4 MiB, but at least one task or some of its lines.
  /// - Parameters:
  ///   - limit: the largest number of tasks to examine.
  ///   - now: the current time in Unix milliseconds. Tasks that were created later don't end the
  ///     scan.
  func removeTasks(
    finishedBefore moment: Int64, after number: Int64, limit: Int, now: Int64
  ) throws(StoreError) -> TaskRemoval
  /// Removes ended tasks, those that ended first. A step removes at most 5,000 rows and about 4 MiB,
  /// but at least one task or some of its lines.
  /// - Parameter limit: the largest number of tasks.
  /// - Returns: the numbers of the removed tasks, and the last task of the step; `nil` for the latter
  ///   if no task has ended.
  func removeOldestEnded(limit: Int) throws(StoreError) -> TaskRemoval
  /// Moves times that were computed from a former time. Called when the wall clock was set by this
  /// number of milliseconds. Times that a person chose aren't moved.
  func moveTasks(by milliseconds: Int64) throws(StoreError)
  /// Stores the clocks and replaces the former mark.
  func put(_ mark: ClockMark) throws(StoreError)
  /// Stores when the next step of a task's escalation may be due. Changes nothing if the task has
  /// changed since `former`.
  func escalate(_ former: TaskRow, at moment: Int64?) throws(StoreError)
  /// Adds lines to the log of a task and assigns their numbers. All lines must belong to the same
  /// task. If there are more than `keep`, the oldest are removed.
  /// - Returns: the number of the last line before them; 0 if there was none, or without lines.
  @discardableResult
  func append(_ lines: [TaskLogLine], keep: Int) throws(StoreError) -> Int64
  /// Stores the row of an artifact and replaces one with the same name.
  func put(_ artifact: TaskArtifact) throws(StoreError)
  /// Removes the row of an artifact.
  func removeArtifact(_ name: String, of task: Int64) throws(StoreError)
  /// Adds a batch.
  /// - Returns: its number.
  @discardableResult
  func insert(_ batch: TaskBatch) throws(StoreError) -> Int64
  /// Removes a batch if it has no tasks.
  func removeEmptyBatch(_ id: Int64) throws(StoreError)
}
