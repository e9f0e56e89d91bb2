/// Reads tasks.
public protocol TaskReading: AnyObject {
  /// One task, or nil.
  func task(_ id: Int64) throws(StoreError) -> TaskRow?
  /// The task that has a key, or nil.
  func task(uniqueKey: String) throws(StoreError) -> TaskRow?
  /// Tasks of a selection.
  func tasks(_ selection: TaskSelection) throws(StoreError) -> [TaskRow]
  /// How many tasks there are, by type and state. Those of which there are none are left out.
  func taskCounts() throws(StoreError) -> [TaskCount]
  /// The lanes in which something is queued.
  func lanes() throws(StoreError) -> [QueuedLane]
  /// The first tasks that are queued in a lane.
  func heads(of lane: String, limit: Int) throws(StoreError) -> [TaskRow]
  /// Those that come after a place in a lane.
  func heads(of lane: String, after place: LanePosition, limit: Int) throws(StoreError) -> [TaskRow]
  /// Tasks that are assigned or running, by number, from this number on.
  func held(from id: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// Tasks that somebody has to look after by a moment, the earliest first.
  func due(by moment: Int64, limit: Int) throws(StoreError) -> [TaskRow]
  /// The earliest moment at which somebody has to look after a task.
  func nextWake() throws(StoreError) -> Int64?
  /// What a task has written: lines after this number, the oldest first.
  func logLines(of task: Int64, after number: Int64, limit: Int) throws(StoreError) -> [TaskLogLine]
  /// The files that a task has left behind, by name.
  func artefacts(of task: Int64) throws(StoreError) -> [TaskArtefact]
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
  /// Removes tasks that ended before a moment, the oldest first; at most `limit`.
  /// - Returns: their numbers.
  func removeTasks(finishedBefore moment: Int64, limit: Int) throws(StoreError) -> [Int64]
  /// Adds lines to what a task has written, and gives them their numbers. The oldest go when there
  /// are more than `keep`.
  func append(_ lines: [TaskLogLine], keep: Int) throws(StoreError)
  /// Notes a file; one of the same name takes its place.
  func put(_ artefact: TaskArtefact) throws(StoreError)
  /// Forgets a file.
  func removeArtefact(_ name: String, of task: Int64) throws(StoreError)
  /// Adds a batch.
  /// - Returns: its number.
  @discardableResult
  func insert(_ batch: TaskBatch) throws(StoreError) -> Int64
}
