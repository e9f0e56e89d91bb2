/// Reads tasks.
public protocol TaskReading: AnyObject {
  /// One task, or nil.
  func task(_ id: Int64) throws(StoreError) -> TaskRow?
  /// Numbers of tasks behind this one and the words that their states are stored as, whatever else
  /// their rows have: for who looks for rows that can't be read.
  func storedStates(after id: Int64, limit: Int) throws(StoreError) -> [StoredTaskState]
  /// The task that has a key, or nil.
  func task(uniqueKey: String) throws(StoreError) -> TaskRow?
  /// Tasks of a selection.
  func tasks(_ selection: TaskSelection) throws(StoreError) -> [TaskRow]
  /// A page of a selection, for which no more tasks are looked at than it says.
  func page(_ selection: TaskSelection) throws(StoreError) -> TaskPage
  /// How many tasks there are, by type and state. Those of which there are none are left out.
  func taskCounts() throws(StoreError) -> [TaskCount]
  /// The same of one type.
  func taskCounts(of type: String) throws(StoreError) -> [TaskCount]
  /// How many tasks are in a state, of all types.
  func taskTotals() throws(StoreError) -> [TaskRow.State: Int64]
  /// The lanes in which something is queued.
  func lanes() throws(StoreError) -> [QueuedLane]
  /// The first tasks that are queued in a lane.
  func heads(of lane: String, limit: Int) throws(StoreError) -> [TaskRow]
  /// Those that come after a place in a lane.
  func heads(of lane: String, after place: LanePosition, limit: Int) throws(StoreError) -> [TaskRow]
  /// The places of the first tasks that are queued in a lane.
  func places(in lane: String, limit: Int) throws(StoreError) -> [LanePosition]
  /// What a bot has, by number.
  func held(by bot: String) throws(StoreError) -> [TaskRow]
  /// Tasks that have not ended and that the host may have ended by, by number, from this number on.
  func suspects(from id: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// Tasks of which a step of the escalation may be due by a moment, the earliest first.
  func escalations(dueBy moment: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// The earliest moment at which a step of an escalation may be due.
  func nextEscalation() throws(StoreError) -> Int64?
  /// Tasks that are assigned or running, by number, from this number on.
  func held(from id: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// Tasks that somebody has to look after by a moment, the earliest first.
  func due(by moment: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// The earliest moment at which somebody has to look after a task.
  func nextWake() throws(StoreError) -> Int64?
  /// What the clocks showed when somebody last looked; nil before the first time.
  func clockMark() throws(StoreError) -> ClockMark?
  /// What a task has written: lines after this number, the oldest first.
  func logLines(of task: Int64, after number: Int64, limit: Int) throws(StoreError) -> [TaskLogLine]
  /// The files that a task has left behind, by name.
  func artifacts(of task: Int64) throws(StoreError) -> [TaskArtifact]
  /// One batch, or nil.
  func batch(_ id: Int64) throws(StoreError) -> TaskBatch?
  /// Batches with a lesser number than this, the newest first.
  func batches(before id: Int64?, limit: Int) throws(StoreError) -> [TaskBatch]
}

/// Tasks. What follows what is decided elsewhere; here a change happens only when the task still is
/// what it was taken for.
public protocol TaskStorage: TaskReading {
  /// Adds a task. Fails with `conflict` when its key is taken.
  /// - Returns: its number.
  @discardableResult
  func insert(_ task: TaskRow) throws(StoreError) -> Int64
  /// Changes a task that still has the version of `former`; it has the next one then.
  /// - Returns: whether it had; nothing has changed otherwise.
  func update(_ task: TaskRow, from former: TaskRow) throws(StoreError) -> Bool
  /// Removes a task with all that belongs to it.
  /// - Returns: whether there was one.
  @discardableResult
  func remove(_ id: Int64) throws(StoreError) -> Bool
  /// Looks at tasks by number, those after `number`, and removes those that ended before a moment.
  /// What it costs doesn't depend on how many there are: who wants to remove all goes on from
  /// ``TaskRemoval/last``.
  /// - Parameter limit: at most so many are looked at.
  func removeTasks(
    finishedBefore moment: Int64, after number: Int64, limit: Int
  ) throws(StoreError) -> TaskRemoval
  /// The wall clock was set by so many milliseconds: what has a time counted from something that has
  /// happened gets another one. Moments that somebody has named stay.
  func moveTasks(by milliseconds: Int64) throws(StoreError)
  /// Remembers what the clocks show.
  func put(_ mark: ClockMark) throws(StoreError)
  /// Notes when the next step of a task's escalation may be due; nothing where the task has changed
  /// since `former`.
  func escalate(_ former: TaskRow, at moment: Int64?) throws(StoreError)
  /// Adds lines to what a task has written, and gives them their numbers. The oldest go when there
  /// are more than `keep`.
  func append(_ lines: [TaskLogLine], keep: Int) throws(StoreError)
  /// Notes a file; one of the same name takes its place.
  func put(_ artifact: TaskArtifact) throws(StoreError)
  /// Forgets a file.
  func removeArtifact(_ name: String, of task: Int64) throws(StoreError)
  /// Adds a batch.
  /// - Returns: its number.
  @discardableResult
  func insert(_ batch: TaskBatch) throws(StoreError) -> Int64
  /// Removes a batch that has no tasks.
  func removeEmptyBatch(_ id: Int64) throws(StoreError)
}
