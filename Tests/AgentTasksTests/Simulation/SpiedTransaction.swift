import AgentStore

/// A change of a task as it was stored: nil where it wasn't there before, or isn't any more.
struct StoredChange {
  let former: TaskRow?
  let row: TaskRow?
  /// The clock was set, and with it the times of the task.
  var isMove = false
}

/// A transaction that keeps what was changed of tasks, or whose steps of removal do nothing.
final class SpiedTransaction: StoreTransaction {
  private let inner: any StoreTransaction
  private let spy: SpiedTasks

  init(_ inner: any StoreTransaction, removesOldTasks: Bool = true) {
    self.inner = inner
    spy = SpiedTasks(inner.tasks, removesOldTasks: removesOldTasks)
  }

  var changes: [StoredChange] { spy.changes }
  var tasks: any TaskStorage { spy }
  var events: any EventStorage { inner.events }
  var consumers: any ConsumerStorage { inner.consumers }
  var state: any StateStorage { inner.state }
  var tokens: any TokenStorage { inner.tokens }
  var users: any UserStorage { inner.users }
  var audit: any AuditStorage { inner.audit }
  var alerts: any AlertStorage { inner.alerts }
  var deliveries: any DeliveryStorage { inner.deliveries }
  var idempotencyKeys: any IdempotencyKeyStorage { inner.idempotencyKeys }
  var bots: any BotStorage { inner.bots }
  var assignments: any AssignmentStorage { inner.assignments }
  var schedules: any ScheduleStorage { inner.schedules }
  func afterCommit(_ action: @escaping @Sendable () -> Void) { inner.afterCommit(action) }
}

/// What a transaction sees, as a reader sees it: so that reads come where the seed wants them.
final class TransactionSnapshot: StoreSnapshot {
  private let inner: any StoreTransaction

  init(_ inner: any StoreTransaction) { self.inner = inner }

  var tasks: any TaskReader { inner.tasks }
  var events: any EventReader { inner.events }
  var consumers: any ConsumerReader { inner.consumers }
  var state: any StateReader { inner.state }
  var tokens: any TokenReader { inner.tokens }
  var users: any UserReader { inner.users }
  var audit: any AuditReader { inner.audit }
  var alerts: any AlertReader { inner.alerts }
  var deliveries: any DeliveryReader { inner.deliveries }
  var idempotencyKeys: any IdempotencyKeyReader { inner.idempotencyKeys }
  var bots: any BotReader { inner.bots }
  var assignments: any AssignmentReader { inner.assignments }
  var schedules: any ScheduleReader { inner.schedules }
}

/// Tasks of a transaction, with what was changed of them.
private final class SpiedTasks: TaskStorage {
  private let inner: any TaskStorage
  private let removesOldTasks: Bool
  private(set) var changes: [StoredChange] = []

  init(_ inner: any TaskStorage, removesOldTasks: Bool) {
    self.inner = inner
    self.removesOldTasks = removesOldTasks
  }

  func insert(_ task: TaskRow) throws(StoreError) -> Int64 {
    var row = task
    row.id = try inner.insert(task)
    changes.append(StoredChange(former: nil, row: row))
    return row.id
  }

  func openBytes(of creator: String?) throws(StoreError) -> Int64 {
    try inner.openBytes(of: creator)
  }

  func update(_ task: TaskRow, from former: TaskRow) throws(StoreError) -> Bool {
    guard try inner.update(task, from: former) else { return false }
    var row = task
    row.version = former.version + 1
    changes.append(StoredChange(former: former, row: row))
    return true
  }

  func begin(_ steps: [TaskStep]) throws(StoreError) -> [Bool] {
    let stored = try inner.begin(steps)
    note(steps, stored)
    return stored
  }

  func end(_ steps: [TaskStep]) throws(StoreError) -> [Bool] {
    let stored = try inner.end(steps)
    note(steps, stored)
    return stored
  }

  private func note(_ steps: [TaskStep], _ stored: [Bool]) {
    for (step, isStored) in zip(steps, stored) where isStored {
      changes.append(StoredChange(former: step.former, row: step.task))
    }
  }

  func remove(_ id: Int64) throws(StoreError) -> Bool {
    let former = try inner.task(id)
    guard try inner.remove(id) else { return false }
    changes.append(StoredChange(former: former, row: nil))
    return true
  }

  func removeTasks(
    finishedBefore moment: Int64, after number: Int64, limit: Int, now: Int64
  ) throws(StoreError) -> TaskRemoval {
    guard removesOldTasks else { return TaskRemoval(removed: [], last: number) }
    let former = try inner.tasks(TaskSelection(limit: .max))
    let removal = try inner.removeTasks(
      finishedBefore: moment, after: number, limit: limit, now: now)
    for row in former where removal.removed.contains(row.id) {
      changes.append(StoredChange(former: row, row: nil))
    }
    return removal
  }

  func moveTasks(by milliseconds: Int64) throws(StoreError) {
    let former = try inner.tasks(TaskSelection(limit: .max))
    try inner.moveTasks(by: milliseconds)
    for row in former {
      let moved = try inner.task(row.id)
      if moved != row { changes.append(StoredChange(former: row, row: moved, isMove: true)) }
    }
  }

  func put(_ mark: ClockMark) throws(StoreError) { try inner.put(mark) }
  func clockMark() throws(StoreError) -> ClockMark? { try inner.clockMark() }

  func escalate(_ former: TaskRow, at moment: Int64?) throws(StoreError) {
    try inner.escalate(former, at: moment)
  }
  func removeEmptyBatch(_ id: Int64) throws(StoreError) { try inner.removeEmptyBatch(id) }

  func append(_ lines: [TaskLogLine], keep: Int) throws(StoreError) -> Int64 {
    try inner.append(lines, keep: keep)
  }
  func removeOldestEnded(limit: Int) throws(StoreError) -> TaskRemoval {
    guard removesOldTasks else { return TaskRemoval(removed: [], last: 1) }
    let former = try inner.tasks(TaskSelection(limit: .max))
    let removal = try inner.removeOldestEnded(limit: limit)
    for row in former where removal.removed.contains(row.id) {
      changes.append(StoredChange(former: row, row: nil))
    }
    return removal
  }
  func taskSizes() throws(StoreError) -> TaskSizes { try inner.taskSizes() }
  func artifactsOfEndedTasks(limit: Int) throws(StoreError) -> [TaskArtifact] {
    try inner.artifactsOfEndedTasks(limit: limit)
  }
  func removeLogLines(of task: Int64) throws(StoreError) -> Bool {
    try inner.removeLogLines(of: task)
  }
  func put(_ artifact: TaskArtifact) throws(StoreError) { try inner.put(artifact) }
  func removeArtifact(_ name: String, of task: Int64) throws(StoreError) {
    try inner.removeArtifact(name, of: task)
  }
  func insert(_ batch: TaskBatch) throws(StoreError) -> Int64 { try inner.insert(batch) }

  func storedStates(after id: Int64, limit: Int) throws(StoreError) -> [StoredTaskState] {
    try inner.storedStates(after: id, limit: limit)
  }

  func task(_ id: Int64) throws(StoreError) -> TaskRow? { try inner.task(id) }
  func tasks(_ ids: [Int64]) throws(StoreError) -> [TaskRow] { try inner.tasks(ids) }
  func task(uniqueKey: String) throws(StoreError) -> TaskRow? {
    try inner.task(uniqueKey: uniqueKey)
  }
  func tasks(_ selection: TaskSelection) throws(StoreError) -> [TaskRow] {
    try inner.tasks(selection)
  }
  func taskCounts() throws(StoreError) -> [TaskCount] { try inner.taskCounts() }
  func taskCounts(of type: String) throws(StoreError) -> [TaskCount] {
    try inner.taskCounts(of: type)
  }
  func taskCounts(after type: String, types: Int) throws(StoreError) -> TaskCountPage {
    try inner.taskCounts(after: type, types: types)
  }
  func taskTotals() throws(StoreError) -> [TaskRow.State: Int64] { try inner.taskTotals() }
  func page(_ selection: TaskSelection) throws(StoreError) -> TaskPage {
    try inner.page(selection)
  }
  func queues() throws(StoreError) -> [QueueHead] { try inner.queues() }
  func heads(of queueKey: String, limit: Int) throws(StoreError) -> [TaskRow] {
    try inner.heads(of: queueKey, limit: limit)
  }
  func places(
    in queueKey: String, after place: QueuePosition, limit: Int
  ) throws(StoreError) -> [QueuePosition] {
    try inner.places(in: queueKey, after: place, limit: limit)
  }
  func leases(from id: Int64, limit: Int) throws(StoreError) -> [StoredLease] {
    try inner.leases(from: id, limit: limit)
  }
  func held(from id: Int64, limit: Int) throws(StoreError) -> [TaskRow] {
    try inner.held(from: id, limit: limit)
  }
  func places(in queueKey: String, limit: Int) throws(StoreError) -> [QueuePosition] {
    try inner.places(in: queueKey, limit: limit)
  }
  func held(by bot: String, from id: Int64) throws(StoreError) -> [TaskRow] {
    try inner.held(by: bot, from: id)
  }
  func suspects(from id: Int64, limit: Int) throws(StoreError) -> [TaskRow] {
    try inner.suspects(from: id, limit: limit)
  }
  func escalations(dueBy moment: Int64, limit: Int) throws(StoreError) -> [Int64] {
    try inner.escalations(dueBy: moment, limit: limit)
  }
  func nextEscalation() throws(StoreError) -> Int64? { try inner.nextEscalation() }
  func due(by moment: Int64, limit: Int) throws(StoreError) -> [TaskRow] {
    try inner.due(by: moment, limit: limit)
  }
  func nextWake() throws(StoreError) -> Int64? { try inner.nextWake() }
  func logLines(
    of task: Int64, after number: Int64, limit: Int
  ) throws(StoreError) -> [TaskLogLine] {
    try inner.logLines(of: task, after: number, limit: limit)
  }
  func artifacts(of task: Int64) throws(StoreError) -> [TaskArtifact] {
    try inner.artifacts(of: task)
  }
  func batch(_ id: Int64) throws(StoreError) -> TaskBatch? { try inner.batch(id) }
  func batches(before id: Int64?, limit: Int) throws(StoreError) -> [TaskBatch] {
    try inner.batches(before: id, limit: limit)
  }
}
