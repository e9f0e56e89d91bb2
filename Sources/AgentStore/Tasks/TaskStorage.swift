/// Reads tasks.
public protocol TaskReader: AnyObject {
  /// One task, or nil.
  func task(_ id: Int64) throws(StoreError) -> TaskRow?
  /// Tasks after this number with their states as they are stored. Nothing else of a row is read,
  /// so that a check finds rows that can't be read.
  func storedStates(after id: Int64, limit: Int) throws(StoreError) -> [StoredTaskState]
  /// The task that has a key, or nil.
  func task(uniqueKey: String) throws(StoreError) -> TaskRow?
  /// All tasks of a selection, up to its limit.
  func tasks(_ selection: TaskSelection) throws(StoreError) -> [TaskRow]
  /// A page of a selection. No more tasks are looked at than ``TaskSelection/look`` says.
  func page(_ selection: TaskSelection) throws(StoreError) -> TaskPage
  /// The numbers of tasks by type and state. States without tasks are left out.
  func taskCounts() throws(StoreError) -> [TaskCount]
  /// The numbers of tasks of the first `types` types after a name, by type and state. States without
  /// tasks are left out.
  func taskCounts(after type: String, types: Int) throws(StoreError) -> TaskCountPage
  /// The numbers of tasks of one type, by state.
  func taskCounts(of type: String) throws(StoreError) -> [TaskCount]
  /// The numbers of tasks of all types, by state.
  func taskTotals() throws(StoreError) -> [TaskRow.State: Int64]
  /// The queues that have tasks.
  func queues() throws(StoreError) -> [QueueHead]
  /// The places of the first tasks of a queue.
  func places(in queueKey: String, limit: Int) throws(StoreError) -> [QueuePosition]
  /// The places of the first tasks after a place in a queue.
  func places(in queueKey: String, after place: QueuePosition, limit: Int) throws(StoreError)
    -> [QueuePosition]
  /// The earliest moment at which a step of an escalation may be due.
  func nextEscalation() throws(StoreError) -> Int64?
  /// The numbers of tasks for which a step of the escalation may be due by a moment, the earliest
  /// first.
  func escalations(dueBy moment: Int64, limit: Int) throws(StoreError) -> [Int64]
  /// The leases of tasks that are assigned or running, by number, from this number on.
  func leases(from id: Int64, limit: Int) throws(StoreError) -> [StoredLease]

  // Each of these ends behind the task with which its rows have ``TaskRow/pageBytes``: their count
  // alone wouldn't bound the memory. A caller that wants all goes on until nothing is left.

  /// The first tasks of a queue.
  func heads(of queueKey: String, limit: Int) throws(StoreError) -> [TaskRow]
  /// Tasks that are assigned to a bot or run on it, by number, from this number on.
  func held(by bot: String, from id: Int64) throws(StoreError) -> [TaskRow]
  /// Tasks that are assigned or running, by number, from this number on.
  func held(from id: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// Tasks that have not ended and may have ended the host (``TaskRow/hostEnds``), by number, from
  /// this number on.
  func suspects(from id: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// Tasks whose deadline (``TaskRow/wake``) is at or before a moment, the earliest first.
  func due(by moment: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// The earliest deadline of a task, in Unix milliseconds; nil when there is none.
  func nextWake() throws(StoreError) -> Int64?
  /// The clocks as they were when ``TaskStorage/put(_:)`` last noted them; nil before the first
  /// time.
  func clockMark() throws(StoreError) -> ClockMark?
  /// The lines that a task has written after this number, the oldest first.
  func logLines(of task: Int64, after number: Int64, limit: Int) throws(StoreError) -> [TaskLogLine]
  /// The files that a task has left, by name.
  func artifacts(of task: Int64) throws(StoreError) -> [TaskArtifact]
  /// One batch, or nil.
  func batch(_ id: Int64) throws(StoreError) -> TaskBatch?
  /// Batches with a number less than this, the newest first.
  func batches(before id: Int64?, limit: Int) throws(StoreError) -> [TaskBatch]
}

/// Writes tasks. The state machine in AgentTasks decides on transitions; here a change is made only
/// when the task still has the version that the caller has read.
public protocol TaskStorage: TaskReader {
  /// Adds a task. Fails with `conflict` when its key is taken.
  /// - Returns: its number.
  @discardableResult
  func insert(_ task: TaskRow) throws(StoreError) -> Int64
  /// The bytes of the definitions of the tasks that have not ended, with what the transaction has
  /// changed.
  /// - Parameter creator: only those of this ``TaskRow/creator``; nil for those of all.
  func openBytes(of creator: String?) throws(StoreError) -> Int64
  /// Changes a task that still has the version of `former`. It has the next version then.
  /// - Returns: false when it has another version; nothing has changed then.
  func update(_ task: TaskRow, from former: TaskRow) throws(StoreError) -> Bool
  /// Removes a task with all that belongs to it.
  /// - Returns: whether there was one.
  @discardableResult
  func remove(_ id: Int64) throws(StoreError) -> Bool
  /// Looks at tasks after `number` and removes those that ended before a moment. The cost doesn't
  /// depend on how many tasks there are. To remove all, call it again with ``TaskRemoval/last``.
  /// - Parameters:
  ///   - limit: the most tasks to look at.
  ///   - now: the clock. What was created later than this says nothing about its number.
  func removeTasks(
    finishedBefore moment: Int64, after number: Int64, limit: Int, now: Int64
  ) throws(StoreError) -> TaskRemoval
  /// Called when the wall clock was set by this many milliseconds. Times that were counted from an
  /// earlier moment are moved along. Times that a person has chosen stay.
  func moveTasks(by milliseconds: Int64) throws(StoreError)
  /// Notes the clocks, in place of the mark before.
  func put(_ mark: ClockMark) throws(StoreError)
  /// Notes when the next step of a task's escalation may be due. Changes nothing when the task has
  /// changed since `former`.
  func escalate(_ former: TaskRow, at moment: Int64?) throws(StoreError)
  /// Adds lines to a task's log and gives them their numbers. All lines are of the same task. The
  /// oldest lines are removed when there are more than `keep`.
  func append(_ lines: [TaskLogLine], keep: Int) throws(StoreError)
  /// Notes a file, in place of one of the same name.
  func put(_ artifact: TaskArtifact) throws(StoreError)
  /// Removes the note of a file.
  func removeArtifact(_ name: String, of task: Int64) throws(StoreError)
  /// Adds a batch.
  /// - Returns: its number.
  @discardableResult
  func insert(_ batch: TaskBatch) throws(StoreError) -> Int64
  /// Removes a batch that has no tasks.
  func removeEmptyBatch(_ id: Int64) throws(StoreError)
}
